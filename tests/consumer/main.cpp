#include <delassus/base/exceptions.h>
#include <delassus/parameters/read_parameters.h>

int main()
{
  return delassus::describe_parameters("Time").empty() ||
         delassus::nearest_name("rnu", { "run" }) != "run";
}
