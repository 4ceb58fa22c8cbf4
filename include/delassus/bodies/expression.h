#ifndef delassus_bodies_expression_h
#define delassus_bodies_expression_h

#include <deal.II/base/function_parser.h>

#include <memory>
#include <string>

namespace delassus
{
/// A user's expression (or several, separated by ';') of x, y[, z] and t.
/// An empty text is zero; one expression for several components is used for
/// each of them.
template <int dim>
class Expression
{
public:
  explicit Expression(const std::string &text         = "",
                      const unsigned int n_components = dim);

  bool is_zero() const
  {
    return function == nullptr;
  }

  /// Whether the time appears in it (a constant load is computed once).
  bool depends_on_time() const
  {
    return time_dependent;
  }

  double value(const dealii::Point<dim> &p,
               const double time,
               const unsigned int component = 0) const;

private:
  std::shared_ptr<dealii::FunctionParser<dim>> function;
  bool time_dependent = false;
  std::string text;
};
} // namespace delassus

#endif
