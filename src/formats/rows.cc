#include "formats/rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "quantity/text.h"

namespace ridge::formats {

Result<void> RowContext::define(std::string_view table, std::string_view id, const NodeRef& at) {
  auto& ids = known_[std::string(table)];
  auto [entry, fresh] = ids.emplace(id, at.where());
  if (fresh) return {};
  if (!entry->second.empty()) return at.error(fmt::format("\"{}\" is defined twice in \"{}\"", id, table), "First at " + entry->second + ".");
  entry->second = at.where();
  return {};
}

void RowContext::use(std::string_view table, std::string_view id, const NodeRef& at, std::string record) {
  uses_.push_back({std::string(table), std::string(id), at.where(), std::move(record)});
}

Result<void> RowContext::resolve() const {
  for (const Use& use : uses_) {
    const auto table = known_.find(use.table);
    if (table != known_.end() && table->second.contains(use.id)) continue;
    std::vector<std::string> names;
    if (table != known_.end())
      for (const auto& [id, place] : table->second) names.push_back(id);
    const std::string near = nearest_names(use.id, names);
    return fail(use.where, fmt::format("{}\"{}\" is not in \"{}\"", use.record.empty() ? "" : "in \"" + use.record + "\": ", use.id, use.table),
                near.empty() ? fmt::format("Add it to \"{}\".", use.table) : fmt::format("Did you mean {}?", near));
  }
  return {};
}

Error RowReader::named(Error error) const {
  if (!record_.empty() && !error.what.starts_with("in \"")) error.what = fmt::format("in \"{}\": {}", record_, error.what);
  return error;
}

void RowReader::key(std::string_view name, std::string_view& member, std::string_view table) {
  read(name, member, true);
  if (!outcome_) return;
  record_ = record_.empty() ? std::string(member) : record_ + " " + std::string(member);
  if (member.empty()) {
    outcome_ = tl::unexpected<Error>(at_.error(fmt::format("the key \"{}\" is empty", name)).value());
    return;
  }
  if (Result<void> defined = context_->define(table, member, *at_.get(name)); !defined) outcome_ = tl::unexpected<Error>(named(defined.error()));
}

void RowReader::reference(std::string_view name, std::string_view& member, std::string_view table, bool must) {
  read(name, member, must);
  if (outcome_ && !member.empty()) context_->use(table, member, *at_.get(name), record_);
}

void RowReader::reference(std::string_view name, std::span<const std::string_view>& member, std::string_view table, bool must) {
  read(name, member, must);
  if (!outcome_ || (member.empty() && !must)) return;
  if (member.empty()) {
    outcome_ = tl::unexpected<Error>(named(at_.error(fmt::format("the list \"{}\" is empty", name)).value()));
    return;
  }
  for (std::string_view id : member) context_->use(table, id, *at_.get(name), record_);
}

Result<void> RowReader::finish() {
  // A misspelt key explains a missing one, so it is reported first.
  if (at_.kind() == Node::Kind::kMap)
    if (Result<void> closed = at_.only(keys_); !closed) return tl::unexpected<Error>(named(closed.error()));
  if (at_.kind() != Node::Kind::kMap) return tl::unexpected<Error>(named(at_.only(keys_).error()));
  return outcome_;
}

tl::unexpected<Error> unknown_word(const NodeRef& at, const std::string& text, const std::vector<std::string>& known) {
  const std::string near = nearest_names(text, known);
  std::string all;
  for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
  return at.error(fmt::format("\"{}\" is not one of its values", text),
                  near.empty() ? "Known: " + all + "." : fmt::format("Did you mean {}? Known: {}.", near, all));
}

}  // namespace ridge::formats
