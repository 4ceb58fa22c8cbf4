#include <delassus/bodies/expression.h>
#include <delassus/base/exceptions.h>

#include <deal.II/base/numbers.h>

#include <fmt/format.h>

#include <cctype>
#include <cmath>

namespace delassus
{
namespace
{
/// Whether the name "t" occurs as a whole word.
bool mentions_time(const std::string &text)
{
  const auto is_word = [](const char c)
  { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == 't' && (i == 0 || !is_word(text[i - 1])) &&
        (i + 1 == text.size() || !is_word(text[i + 1])))
      return true;
  return false;
}
} // namespace

template <int dim>
Expression<dim>::Expression(const std::string &text,
                            const unsigned int n_components)
{
  if (text.find_first_not_of(" \t") == std::string::npos)
    return;
  std::string expressions = text;
  if (text.find(';') == std::string::npos)
    for (unsigned int c = 1; c < n_components; ++c)
      expressions += ";" + text;
  function = std::make_shared<dealii::FunctionParser<dim>>(n_components);
  function->initialize(dim == 2 ? "x,y,t" : "x,y,z,t",
                       expressions,
                       { { "pi", dealii::numbers::PI } },
                       true);
  time_dependent = mentions_time(text);
  this->text     = text;
}

template <int dim>
double Expression<dim>::value(const dealii::Point<dim> &p,
                              const double time,
                              const unsigned int component) const
{
  if (!function)
    return 0.;
  function->set_time(time);
  const double result = function->value(p, component);
  if (!std::isfinite(result))
  {
    std::string where;
    for (unsigned int c = 0; c < dim; ++c)
      where += fmt::format("{} = {:.6g}, ", "xyz"[c], p[c]);
    throw InputError(fmt::format("The expression '{}' is {} at {}t = {:.6g}.",
                                 text,
                                 result,
                                 where,
                                 time));
  }
  return result;
}

template class Expression<2>;
template class Expression<3>;
} // namespace delassus
