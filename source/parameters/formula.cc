#include <delassus/parameters/formula.h>
#include <delassus/base/exceptions.h>
#include <delassus/parameters/expressions.h>

#include <deal.II/base/mu_parser_internal.h>

#include <muParser.h>

#include <algorithm>

namespace delassus
{
struct Formula::Parser
{
  mu::Parser parser;
  std::vector<double> values;
};

Formula::Formula(const std::string &text, const std::string &variables)
    : parser(std::make_unique<Parser>())
{
  namespace functions = dealii::internal::FunctionParser;
  auto &p             = parser->parser;
  parser->values.resize(1 +
                        std::count(variables.begin(), variables.end(), ','));
  try
  {
    std::size_t begin = 0;
    for (double &value : parser->values)
    {
      const std::size_t end = variables.find(',', begin);
      p.DefineVar(variables.substr(begin, end - begin), &value);
      begin = end + 1;
    }
    for (const auto &constant : expression_constants())
      p.DefineConst(constant.first, constant.second);
    p.DefineFun("if", functions::mu_if, true);
    p.DefineOprt("|", functions::mu_or, 1);
    p.DefineOprt("&", functions::mu_and, 2);
    p.DefineFun("int", functions::mu_int, true);
    p.DefineFun("ceil", functions::mu_ceil, true);
    p.DefineFun("floor", functions::mu_floor, true);
    p.DefineFun("cot", functions::mu_cot, true);
    p.DefineFun("csc", functions::mu_csc, true);
    p.DefineFun("sec", functions::mu_sec, true);
    p.DefineFun("log", functions::mu_log, true);
    p.DefineFun("pow", functions::mu_pow, true);
    p.DefineFun("erf", functions::mu_erf, true);
    p.DefineFun("erfc", functions::mu_erfc, true);
    p.SetExpr(text);
    std::fill(parser->values.begin(), parser->values.end(), 0.3717);
    p.Eval();
  }
  catch (const mu::ParserError &e)
  {
    throw InputError(e.GetMsg());
  }
}

Formula::~Formula() = default;

double Formula::value(const std::vector<double> &values) const
{
  std::copy_n(values.begin(), parser->values.size(), parser->values.begin());
  try
  {
    return parser->parser.Eval();
  }
  catch (const mu::ParserError &e)
  {
    throw InputError(e.GetMsg());
  }
}
} // namespace delassus
