#ifndef delassus_parameters_expressions_h
#define delassus_parameters_expressions_h

#include <map>
#include <string>

namespace delassus
{
/// Constants known to the expressions of a parameter file: pi. To be given to
/// dealii::FunctionParser::initialize().
const std::map<std::string, double> &expression_constants();

/// Try to evaluate one expression of @p variables ("x,y,t": one to three of
/// the coordinates, then perhaps t). Returns what is wrong with it; empty if
/// nothing.
std::string expression_error(const std::string &expression,
                             const std::string &variables);
} // namespace delassus

#endif
