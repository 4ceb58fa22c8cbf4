#include <delassus/parameters/expressions.h>

#include <deal.II/base/function_parser.h>
#include <deal.II/base/numbers.h>

#include <algorithm>
#include <iostream>
#include <sstream>

namespace delassus
{
namespace
{
/// deal.II prints the parser's complaint to std::cerr before throwing it.
class QuietErrorStream
{
public:
  QuietErrorStream()
      : saved(std::cerr.rdbuf(text.rdbuf()))
  {
  }

  ~QuietErrorStream()
  {
    std::cerr.rdbuf(saved);
  }

private:
  std::ostringstream text;
  std::streambuf *saved;
};

template <int dim>
void evaluate(const std::string &expression,
              const std::string &variables,
              const bool time_dependent)
{
  dealii::FunctionParser<dim> function(1);
  function.initialize(variables,
                      std::vector<std::string>(1, expression),
                      expression_constants(),
                      time_dependent);
  // Not a special point of any usual function.
  dealii::Point<dim> p;
  for (unsigned int d = 0; d < dim; ++d)
    p[d] = 0.3717 + 0.1113 * d;
  function.set_time(0.2371);
  function.value(p);
}
} // namespace

const std::map<std::string, double> &expression_constants()
{
  static const std::map<std::string, double> constants = {
    { "pi", dealii::numbers::PI }
  };
  return constants;
}

std::string expression_error(const std::string &expression,
                             const std::string &variables)
{
  if (expression.find_first_not_of(" \t") == std::string::npos)
    return "the expression is empty";
  const auto n_variables =
      1 + std::count(variables.begin(), variables.end(), ',');
  const bool time_dependent =
      n_variables > 1 && variables.substr(variables.size() - 2) == ",t";
  const QuietErrorStream quiet;
  try
  {
    switch (n_variables - (time_dependent ? 1 : 0))
    {
      case 1:
        evaluate<1>(expression, variables, time_dependent);
        break;
      case 2:
        evaluate<2>(expression, variables, time_dependent);
        break;
      default:
        evaluate<3>(expression, variables, time_dependent);
    }
  }
  catch (const dealii::ExceptionBase &e)
  {
    std::ostringstream what;
    e.print_info(what);
    const std::string text  = what.str();
    const std::string start = "The parser said: ";
    const auto said         = text.find(start);
    std::string message =
        said == std::string::npos ? text : text.substr(said + start.size());
    std::replace(message.begin(), message.end(), '\n', ' ');
    message.erase(message.find_last_not_of(" .") + 1);
    return message.substr(message.find_first_not_of(' '));
  }
  return "";
}
} // namespace delassus
