// Debian packages fmt as a shared library only. Its definitions, compiled once here, go into the program itself, which then
// needs nothing but the C library where it runs. The two instantiations are those that fmt's headers declare as extern.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl<char>(locale_ref) -> char;
}  // namespace detail
FMT_END_NAMESPACE
