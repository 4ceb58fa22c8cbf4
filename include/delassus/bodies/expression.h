#ifndef delassus_bodies_expression_h
#define delassus_bodies_expression_h

#include <deal.II/base/function_parser.h>

#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// A user's expression (or several, separated by ';') of x, y[, z] and t.
/// An empty text is zero; one expression for several components is used for
/// each of them. @p where (file, line, section, entry) begins the error of a
/// value that does not exist.
template <int dim>
class Expression
{
public:
  explicit Expression(const std::string &text         = "",
                      const unsigned int n_components = dim,
                      const std::string &where        = "");

  bool is_zero() const
  {
    return function == nullptr;
  }

  /// Whether the time appears in it (a constant load is computed once).
  bool depends_on_time() const
  {
    return time_dependent;
  }

  /// Throws InputError where the expression is not a finite number.
  double value(const dealii::Point<dim> &p,
               const double time,
               const unsigned int component = 0) const;

private:
  std::shared_ptr<dealii::FunctionParser<dim>> function;
  bool time_dependent = false;
  std::vector<std::string> texts; ///< of each component
  std::string where;
};

/// "x = 1, t = 0.5": the values of those of the variables @p names (by commas)
/// that the expression @p text mentions.
std::string values_of_variables(const std::string &text,
                                const std::string &names,
                                const std::vector<double> &values);
} // namespace delassus

#endif
