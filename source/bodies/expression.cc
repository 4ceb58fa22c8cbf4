#include <delassus/bodies/expression.h>
#include <delassus/base/exceptions.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/utilities.h>

#include <fmt/format.h>

#include <cctype>
#include <cmath>

namespace delassus
{
namespace
{
/// Whether a name occurs as a whole word.
bool mentions(const std::string &text, const std::string &name)
{
  const auto is_word = [](const char c)
  { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (auto i = text.find(name); i != std::string::npos;
       i      = text.find(name, i + 1))
    if ((i == 0 || !is_word(text[i - 1])) &&
        (i + name.size() == text.size() || !is_word(text[i + name.size()])))
      return true;
  return false;
}

template <int dim>
const char *variables()
{
  return dim == 2 ? "x,y,t" : "x,y,z,t";
}
} // namespace

std::string values_of_variables(const std::string &text,
                                const std::string &names,
                                const std::vector<double> &values)
{
  const auto list = dealii::Utilities::split_string_list(names, ',');
  std::string result;
  for (unsigned int i = 0; i < list.size(); ++i)
    if (mentions(text, list[i]))
      result += fmt::format(
          "{}{} = {:.6g}", result.empty() ? "" : ", ", list[i], values[i]);
  return result;
}

template <int dim>
Expression<dim>::Expression(const std::string &text,
                            const unsigned int n_components,
                            const std::string &where)
    : where(where)
{
  if (text.find_first_not_of(" \t") == std::string::npos)
    return;
  texts = dealii::Utilities::split_string_list(text, ';');
  if (texts.size() == 1)
    texts.resize(n_components, texts[0]);
  function = std::make_shared<dealii::FunctionParser<dim>>(n_components);
  function->initialize(
      variables<dim>(), texts, { { "pi", dealii::numbers::PI } }, true);
  time_dependent = mentions(text, "t");
}

template <int dim>
double Expression<dim>::value(const dealii::Point<dim> &p,
                              const double time,
                              const unsigned int component) const
{
  if (!function)
    return 0.;
  function->set_time(time);
  double result = 0.;
  std::string wrong;
  try
  {
    result = function->value(p, component);
    if (std::isfinite(result))
      return result;
    wrong = std::isnan(result) ? "is not a number" : "is infinite";
  }
  catch (const dealii::ExceptionBase &)
  {
    wrong = "cannot be evaluated";
  }
  std::vector<double> values(p.begin_raw(), p.end_raw());
  values.push_back(time);
  const std::string &text = texts[component];
  const std::string at    = values_of_variables(text, variables<dim>(), values);
  throw InputError(fmt::format("{}{} expression '{}' {}{}{}; allowed: finite "
                               "numbers.",
                               where,
                               where.empty() ? "The" : ": the",
                               text,
                               wrong,
                               at.empty() ? "" : " at ",
                               at));
}

template class Expression<2>;
template class Expression<3>;
} // namespace delassus
