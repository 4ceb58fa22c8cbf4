#ifndef delassus_parameters_formula_h
#define delassus_parameters_formula_h

#include <memory>
#include <string>
#include <vector>

namespace delassus
{
/// One expression of any number of variables, with the functions that
/// dealii::FunctionParser (coordinates and time only) knows.
class Formula
{
public:
  /// @p variables by commas: "x,y,t,v,p". Throws InputError with what the
  /// parser says of an expression that it does not understand.
  Formula(const std::string &text, const std::string &variables);

  ~Formula();

  /// Values of the variables in their order. Not for several threads at once.
  /// Throws InputError with what the parser says, if it says something.
  double value(const std::vector<double> &values) const;

private:
  struct Parser;
  std::unique_ptr<Parser> parser;
};
} // namespace delassus

#endif
