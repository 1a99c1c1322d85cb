/** Functions of spreadsheets that only calculate, in small letters. None loads, starts or names anything outside of the sheet. */
const SHEET_FUNCTIONS = new Set(
  `
    abs acos address and areas asin atan average averageif averageifs ceiling cell choose clean code column columns concatenate correl cos count counta
    countblank countif countifs date datevalue day days360 degrees edate eomonth even exact exp fact false fixed floor forecast frequency hlookup
    hour if iferror index intercept isblank iserr iserror islogical isna isnontext isnumber isref istext large left len linest ln log log10 lookup
    lower match max median mid min minute mod mode month n networkdays norminv normsdist not now odd offset or percentile pi power product proper
    quartile radians rand randbetween rank rept right roman round rounddown roundup row rows search second sign sin slope small sqrt stdev stdevp
    substitute subtotal sum sumif sumifs sumproduct sumsq t tan text time timevalue today transpose trend trim true trunc upper value var varp
    vlookup weekday workday year
`
    .trim()
    .split(/\s+/),
);

/** Returns whether a name in small letters is that of a function that only calculates. */
export const isSheetFunction = (name: string): boolean => SHEET_FUNCTIONS.has(name);
