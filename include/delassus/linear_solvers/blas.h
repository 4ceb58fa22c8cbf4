#ifndef delassus_linear_solvers_blas_h
#define delassus_linear_solvers_blas_h

// The routines of BLAS and LAPACK that factors use; matrices column by column.
extern "C"
{
  void dpotrf_(const char *, const int *, double *, const int *, int *);
  void dpotri_(const char *, const int *, double *, const int *, int *);
  void dpotrs_(const char *,
               const int *,
               const int *,
               const double *,
               const int *,
               double *,
               const int *,
               int *);
  void dgemm_(const char *,
              const char *,
              const int *,
              const int *,
              const int *,
              const double *,
              const double *,
              const int *,
              const double *,
              const int *,
              const double *,
              double *,
              const int *);
  void dsymm_(const char *,
              const char *,
              const int *,
              const int *,
              const double *,
              const double *,
              const int *,
              const double *,
              const int *,
              const double *,
              double *,
              const int *);
  void dsyrk_(const char *,
              const char *,
              const int *,
              const int *,
              const double *,
              const double *,
              const int *,
              const double *,
              double *,
              const int *);
  void dtrsm_(const char *,
              const char *,
              const char *,
              const char *,
              const int *,
              const int *,
              const double *,
              const double *,
              const int *,
              double *,
              const int *);
}

#endif
