#include "hardware/instances.h"

#include <gtest/gtest.h>

#include <set>

namespace ridge::hardware {
namespace {

const Catalog& catalog() { return Catalog::builtin(); }
const InstanceRow& instance(std::string_view name) { return **find_instance(catalog(), name); }

std::vector<Offer> offers_of(std::string_view accelerator, OfferQuery query = {}) {
  query.as_of = {2026, 12, 1};
  if (!accelerator.empty()) query.accelerators = {std::string(accelerator)};
  return offers(catalog(), query);
}

const Offer* offer(const std::vector<Offer>& all, std::string_view name) {
  for (const Offer& one : all)
    if (one.name == name) return &one;
  return nullptr;
}

std::vector<UserPrice> prices(std::string_view text) {
  auto read = read_prices(text, "prices.csv", catalog());
  EXPECT_TRUE(read) << to_string(read.error());
  return read ? *read : std::vector<UserPrice>{};
}

TEST(FindInstance, TakesAnyCaseAndTheProviderInFront) {
  EXPECT_EQ(instance("P5.48xlarge").name, "p5.48xlarge");
  EXPECT_EQ(instance("aws/p5.48xlarge").name, "p5.48xlarge");
}

TEST(FindInstance, ListsNearNames) {
  const auto wrong = find_instance(catalog(), "p5.48xlrage");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().what, "there is no instance of that name");
  EXPECT_TRUE(wrong.error().advice.starts_with("Did you mean p5.48xlarge")) << wrong.error().advice;
}

TEST(Instances, HoldAmountsInBaseUnits) {
  const InstanceRow& p5 = instance("p5.48xlarge");
  EXPECT_EQ(bytes_of(p5, "ram")->count, 2048 * kGiB);
  EXPECT_DOUBLE_EQ(rate_of(p5, "network")->value, 4e11) << "3,200 Gb/s";
  EXPECT_FALSE(bytes_of(p5, "memory_total"));
  EXPECT_FALSE(bytes_of(p5, "no such figure"));
}

TEST(Instances, SayWhereEachFigureIsFrom) {
  EXPECT_EQ(source_of(instance("a3-megagpu-8g"), "ram"), "gcp_a3_notes");
  EXPECT_EQ(source_of(instance("a3-megagpu-8g"), "count"), "gpuhunt");
  EXPECT_TRUE(is_sourced(instance("p5.48xlarge"), "count"));
  EXPECT_FALSE(is_sourced(instance("p5.48xlarge"), "nvswitch"));
  EXPECT_FALSE(is_sourced(instance("g2-standard-4"), "count"));
}

TEST(Offers, DivideThePriceOfAnInstanceByItsAccelerators) {
  const auto all = offers_of("h100-sxm5");
  const Offer* p5 = offer(all, "p5.48xlarge");
  ASSERT_NE(p5, nullptr);
  EXPECT_DOUBLE_EQ(*p5->per_hour, 55.04);
  EXPECT_DOUBLE_EQ(*p5->per_accelerator_hour, 6.88);
  EXPECT_EQ(p5->source, "karpenter_prices");
  EXPECT_EQ(p5->age_days, 134);
  EXPECT_FALSE(p5->nvswitch) << "no source states it";
}

TEST(Offers, KeepAPriceByTheAcceleratorAsItIs) {
  const auto all = offers_of("mi300x");
  const Offer* crusoe = offer(all, "MI300X-192GB (per GPU)");
  ASSERT_NE(crusoe, nullptr);
  EXPECT_TRUE(crusoe->sold_by_accelerator);
  EXPECT_DOUBLE_EQ(*crusoe->per_accelerator_hour, 3.45);
  EXPECT_TRUE(parse_price_date(crusoe->date)->of_file);
}

TEST(Offers, LeaveOutAnUnsourcedCountUnlessAsked) {
  for (const Offer& one : offers_of("l4")) EXPECT_NE(one.provider, "gcp") << one.name;
  OfferQuery query;
  query.unsourced = true;
  const auto all = offers_of("l4", query);
  const Offer* g2 = offer(all, "g2-standard-48");
  ASSERT_NE(g2, nullptr);
  EXPECT_FALSE(g2->count_sourced);
  EXPECT_DOUBLE_EQ(*g2->per_hour, 4.23);
  EXPECT_FALSE(g2->per_accelerator_hour) << "nothing may be divided by a count that nobody states";
}

TEST(Offers, LeaveOutWhatHasNoPriceUnlessAsked) {
  EXPECT_EQ(offer(offers_of("h200-sxm"), "p5e.48xlarge"), nullptr);
  OfferQuery query;
  query.unpriced = true;
  const auto all = offers_of("h200-sxm", query);
  ASSERT_NE(offer(all, "p5e.48xlarge"), nullptr);
  EXPECT_FALSE(offer(all, "p5e.48xlarge")->per_hour);
}

TEST(Offers, FlagWhatIsOlderThanTheRequestAllows) {
  OfferQuery query;
  query.max_age_days = 134;
  EXPECT_EQ(offer(offers_of("h100-sxm5", query), "p5.48xlarge")->age, PriceAge::kWithin);
  query.max_age_days = 133;
  EXPECT_EQ(offer(offers_of("h100-sxm5", query), "p5.48xlarge")->age, PriceAge::kTooOld);
  EXPECT_EQ(offer(offers_of("h100-sxm5", query), "a3-highgpu-8g")->age, PriceAge::kTooOld) << "2026-06 may mean its first day";
}

TEST(Offers, FlagAPriceOfALaterDay) {
  OfferQuery query;
  query.accelerators = {"h100-sxm5"};
  query.as_of = {2026, 7, 1};
  const auto all = offers(catalog(), query);
  EXPECT_EQ(offer(all, "p5.48xlarge")->age, PriceAge::kLaterThanAsked);
}

TEST(Offers, TakeTheUsersPriceInPlaceOfTheCatalogues) {
  const auto mine = prices("instance,price,commitment\np5.48xlarge,40,\np5.48xlarge,16,spot\n");
  OfferQuery query;
  query.prices = mine;
  int on_demand = 0, spot = 0;
  for (const Offer& one : offers_of("h100-sxm5", query)) {
    if (one.name != "p5.48xlarge") continue;
    EXPECT_TRUE(one.by_user);
    (one.commitment == Commitment::kSpot ? spot : on_demand)++;
    EXPECT_DOUBLE_EQ(*one.per_accelerator_hour, one.commitment == Commitment::kSpot ? 2 : 5);
    EXPECT_EQ(one.source, one.commitment == Commitment::kSpot ? "user: prices.csv:3" : "user: prices.csv:2");
    EXPECT_FALSE(one.age_days);
  }
  EXPECT_EQ(on_demand, 1);
  EXPECT_EQ(spot, 1);
}

TEST(Offers, KeepTheCataloguesPriceOfAnotherCommitment) {
  const auto mine = prices("instance,price,commitment\np5.48xlarge,16,spot\n");
  OfferQuery query;
  query.prices = mine;
  std::set<Commitment> seen;
  for (const Offer& one : offers_of("h100-sxm5", query))
    if (one.name == "p5.48xlarge") seen.insert(one.commitment);
  EXPECT_EQ(seen, (std::set<Commitment>{Commitment::kOnDemand, Commitment::kSpot}));
}

TEST(Offers, PriceEveryInstanceOfAnAcceleratorThatTheUserPriced) {
  const auto mine = prices("accelerator,price\nh100-sxm5,2\n");
  OfferQuery query;
  query.prices = mine;
  for (const Offer& one : offers_of("h100-sxm5", query)) {
    EXPECT_TRUE(one.by_user) << one.name;
    EXPECT_DOUBLE_EQ(*one.per_accelerator_hour, 2) << one.name;
    EXPECT_DOUBLE_EQ(*one.per_hour, 2.0 * one.accelerators) << one.name;
  }
}

TEST(Offers, PutTheNamedInstanceBeforeItsAccelerator) {
  const auto mine = prices("instance,accelerator,price\np5.48xlarge,,40\n,h100-sxm5,2\n");
  OfferQuery query;
  query.prices = mine;
  EXPECT_DOUBLE_EQ(*offer(offers_of("h100-sxm5", query), "p5.48xlarge")->per_accelerator_hour, 5);
}

TEST(Offers, AddAnAcceleratorThatNoInstanceCarries) {
  const auto mine = prices("accelerator,price,provider\nh20-96gb,1.1,\nh100-sxm5,2,own\n");
  OfferQuery query;
  query.prices = mine;
  const auto h20 = offers_of("h20-96gb", query);
  ASSERT_EQ(h20.size(), 1U);
  EXPECT_EQ(h20[0].name, "h20-96gb (your price)");
  EXPECT_TRUE(h20[0].sold_by_accelerator);
  const auto h100 = offers_of("h100-sxm5", query);
  ASSERT_NE(offer(h100, "h100-sxm5 (your price)"), nullptr) << "of another provider";
  EXPECT_FALSE(offer(h100, "p5.48xlarge")->by_user);
}

TEST(Offers, FilterByProviderRegionAndCommitment) {
  OfferQuery query;
  query.providers = {"azure"};
  for (const Offer& one : offers_of("", query)) EXPECT_EQ(one.provider, "azure");
  query = {};
  query.region = "us-central1";
  const auto regional = offers_of("", query);
  EXPECT_FALSE(regional.empty());
  for (const Offer& one : regional) EXPECT_EQ(one.region, "us-central1");
  query = {};
  query.commitment = Commitment::kSpot;
  EXPECT_TRUE(offers_of("", query).empty());
}

TEST(PriceDate, IsFoundInAText) {
  EXPECT_EQ(parse_price_date("2026-07-20")->days.first, (Date{2026, 7, 20}));
  EXPECT_FALSE(parse_price_date("2026-07-20")->of_file);
  const auto file = parse_price_date("file last changed 2024-12-23");
  EXPECT_EQ(file->days.last, (Date{2024, 12, 23}));
  EXPECT_TRUE(file->of_file);
  EXPECT_EQ(parse_price_date("2026-06")->days.last, (Date{2026, 6, 30}));
  EXPECT_EQ(parse_price_date("yesterday").error().what, "\"yesterday\" holds no date");
  EXPECT_EQ(parse_price_date("2026-01-01 to 2026-02-01").error().what, "\"2026-01-01 to 2026-02-01\" holds two dates");
  EXPECT_EQ(parse_price_date("file of 2026-02-30").error().what, "\"2026-02-30\" has day 30, and that month has 28 days");
}

std::string refused(std::string_view text) {
  const auto read = read_prices(text, "my.csv", catalog());
  return read ? "" : to_string(read.error());
}

TEST(ReadPrices, TakesCsvAndYamlAlike) {
  const auto csv = read_prices("instance,price,date\ng5.xlarge,$0.70,2026-11\n", "a", catalog());
  const auto yaml = read_prices("prices:\n- {instance: g5.xlarge, price: 0.7, date: 2026-11}\n", "a", catalog());
  const auto json = read_prices("[{\"instance\": \"g5.xlarge\", \"price\": 0.7, \"date\": \"2026-11\"}]", "a", catalog());
  for (const auto* read : {&csv, &yaml, &json}) {
    ASSERT_TRUE(*read) << to_string(read->error());
    ASSERT_EQ((*read)->size(), 1U);
    EXPECT_DOUBLE_EQ((**read)[0].value, 0.7);
    EXPECT_EQ((**read)[0].provider, "aws");
    EXPECT_EQ((**read)[0].date->days.last, (Date{2026, 11, 30}));
  }
}

TEST(ReadPrices, TakesAnAliasOfAnAccelerator) { EXPECT_EQ(read_prices("accelerator,price\nH100-SXM,2\n", "a", catalog())->at(0).accelerator, "h100-sxm5"); }

TEST(ReadPrices, NamesTheFileTheLineAndTheKey) {
  EXPECT_TRUE(refused("instance,price\ng5.xlarge,0.7\np5.48xlrage,3\n")
                  .starts_with("my.csv:3: instance: \"p5.48xlrage\" is not in the catalogue\n  Did you mean p5.48xlarge"));
  EXPECT_EQ(refused("instance,price\ng5.xlarge,0\n"), "my.csv:2: price: 0 is not above zero\n  Leave a row out whose price is not known.");
  EXPECT_EQ(refused("instance,price\ng5.xlarge,1e9\n").substr(0, 44), "my.csv:2: price: 1000000000 USD an hour is b");
  EXPECT_NE(refused("instance,price\ng5.xlarge,cheap\n").find("my.csv:2: price: \"cheap\" is not a price per hour"), std::string::npos);
  EXPECT_NE(refused("instance,price\ng5.xlarge,-1\n").find("negative"), std::string::npos);
  EXPECT_NE(refused("instance,price,discount\ng5.xlarge,1,2\n").find("discount"), std::string::npos);
  EXPECT_NE(refused("prices:\n- {instance: g5.xlarge, price: 1, comitment: spot}\n").find("commitment"), std::string::npos) << "the near key is named";
  EXPECT_NE(refused("instance,accelerator,price\ng5.xlarge,a10g,1\n").find("both an instance and an accelerator are named"), std::string::npos);
  EXPECT_NE(refused("region,price\nus-east-1,1\n").find("neither an instance nor an accelerator is named"), std::string::npos);
  EXPECT_NE(refused("instance,price\ng5.xlarge,1\ng5.xlarge,2\n").find("my.csv:3: a second on-demand price of g5.xlarge"), std::string::npos);
  EXPECT_NE(refused("instance,price,date\ng5.xlarge,1,soon\n").find("date: \"soon\" holds no date"), std::string::npos);
  EXPECT_NE(refused("instance,price,provider\ng5.xlarge,1,gcp\n").find("g5.xlarge is of aws, not of gcp"), std::string::npos);
  EXPECT_NE(refused("accelerator,price,per\na10g,1,instance\n").find("per: a price of an accelerator cannot be per instance"), std::string::npos);
}

TEST(ReadPrices, RefusesWhatHoldsNone) {
  EXPECT_NE(refused(""), "");
  EXPECT_NE(refused("instance,price\n"), "");
  EXPECT_NE(refused("prices: []\n").find("holds no prices"), std::string::npos);
  EXPECT_NE(refused("prices: 4\n").find("a list of prices is expected"), std::string::npos);
  EXPECT_NE(refused("price: 4\n"), "");
  EXPECT_NE(refused("prices:\n- 4\n"), "");
}

std::string overlay_error(std::string_view yaml) {
  const auto laid = Catalog::with_overlay(yaml, "mine.yaml");
  return laid ? "" : to_string(laid.error());
}

TEST(InstanceOverlay, AddsAMachine) {
  const auto mine = Catalog::with_overlay(
      "instances:\n- {provider: own, name: rack-1, accelerator: h100-sxm5, count: 8, network: 400 Gb/s, source: user,\n"
      "   prices: [{value: 12, per: instance, date: 2026-11-01, source: user}]}\n",
      "mine.yaml");
  ASSERT_TRUE(mine) << to_string(mine.error());
  OfferQuery query;
  query.providers = {"own"};
  query.as_of = {2026, 12, 1};
  const auto all = offers(*mine, query);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_DOUBLE_EQ(*all[0].per_accelerator_hour, 1.5);
  EXPECT_EQ(all[0].age_days, 30);
}

TEST(InstanceOverlay, RefusesWhatCannotBe) {
  const std::string row = "instances:\n- {provider: own, name: x, accelerator: h100-sxm5, count: 8, source: user, ";
  EXPECT_NE(overlay_error(row + "ram: \"64\"}\n").find("ram: \"64\" has no unit"), std::string::npos);
  EXPECT_NE(overlay_error(row + "network: 9 PB/s}\n").find("more than a machine has"), std::string::npos);
  EXPECT_NE(overlay_error(row + "prices: [{value: 0, per: instance, date: 2026-01-01, source: user}]}\n").find("a price of 0 USD an hour"), std::string::npos);
  EXPECT_NE(overlay_error(row + "exceptions: [{figure: weight, note: heavy}]}\n").find("no figure of an instance"), std::string::npos);
  EXPECT_NE(overlay_error("instances:\n- {provider: own, name: x, accelerator: h100-sxm, count: 8, source: user}\n"), "") << "an id, not an alias";
  EXPECT_NE(overlay_error("instances:\n- {provider: own, name: x, accelerator: h100-sxm5, count: 0, source: user}\n").find("0 accelerators"),
            std::string::npos);
  EXPECT_NE(overlay_error("instances:\n- {provider: own, name: x, accelerator: h100-sxm5, count: 8}\n").find("\"count\" has no source"), std::string::npos);
}

// The catalogue itself: every machine can be found, and every price has the day that its age is counted from.
TEST(InstanceCatalogue, IsWhole) {
  EXPECT_EQ(instances(catalog()).size(), 108U);
  for (const InstanceRow& row : instances(catalog())) {
    EXPECT_EQ(&instance(row.name), &row);
    for (const PriceRow& price : row.prices) EXPECT_TRUE(parse_price_date(price.date)) << row.name;
  }
}

}  // namespace
}  // namespace ridge::hardware
