/**
 * The functions of formulas by their numbers ([MS-XLS] 2.5.198.17, Ftab), with the number of arguments behind a slash where it is fixed. A
 * dot means a number without a function, or a function that says nothing about a macro.
 */
const TABLE = `
  COUNT IF ISNA/1 ISERROR/1 SUM AVERAGE MIN MAX ROW COLUMN NA/0 NPV STDEV DOLLAR FIXED SIN/1 COS/1 TAN/1 ATAN/1 PI/0 SQRT/1 EXP/1 LN/1
  LOG10/1 ABS/1 INT/1 SIGN/1 ROUND/2 LOOKUP INDEX REPT/2 MID/3 LEN/1 VALUE/1 TRUE/0 FALSE/0 AND OR NOT/1 MOD/2 ./3 ./3 ./3 ./3 ./3 ./3 VAR
  ./3 TEXT/2 . . . . GOTO/1 HALT RETURN . . . . . ./3 . RAND/0 MATCH DATE/3 TIME/3 DAY/1 MONTH/1 YEAR/1 WEEKDAY HOUR/1 MINUTE/1 SECOND/1
  NOW/0 AREAS/1 ROWS/1 COLUMNS/1 OFFSET ABSREF/2 RELREF/2 ARGUMENT SEARCH ./1 ERROR STEP/0 TYPE/1 ECHO SET.NAME CALLER/0 DEREF/1 . . .
  ACTIVE.CELL/0 SELECTION/0 RESULT ./2 ./1 ./1 CHOOSE . . LINKS INPUT ISREF/1 GET.FORMULA/1 GET.NAME SET.VALUE/2 . EXEC CHAR/1 LOWER/1
  UPPER/1 PROPER/1 LEFT RIGHT EXACT/2 TRIM/1 REPLACE/4 SUBSTITUTE CODE/1 NAMES DIRECTORY FIND CELL ISERR/1 ISTEXT/1 ISNUMBER/1 ISBLANK/1
  T/1 N/1 FOPEN FCLOSE/1 FSIZE/1 FREADLN/1 FREAD/2 FWRITELN/2 FWRITE/2 FPOS ./1 ./1 ./3 ./4 . GET.DEF REFTEXT TEXTREF INDIRECT REGISTER CALL
  . . . . . . . . . . ./1 CLEAN/1 ./1 ./1 ./2 FILES . . COUNTA . FOR WHILE/1 BREAK/0 NEXT/0 INITIATE/2 REQUEST/2 POKE/3 EXECUTE/2
  TERMINATE/1 . . . PRODUCT ./1 GET.CELL GET.WORKSPACE/1 GET.WINDOW GET.DOCUMENT`;

/** Functions with higher numbers, and commands, which have the highest bit (Cetab). */
const OTHERS: Readonly<Record<number, string>> = {
  197: 'TRUNC',
  201: 'UNREGISTER/1',
  212: 'ROUNDUP/2',
  213: 'ROUNDDOWN/2',
  219: 'ADDRESS',
  221: 'TODAY/0',
  223: 'ELSE/0',
  224: 'ELSE.IF/1',
  225: 'END.IF/0',
  255: 'USER',
  257: 'EVALUATE/1',
  267: 'REGISTER.ID',
  268: 'GET.WORKBOOK',
  336: 'CONCATENATE',
  337: 'POWER/2',
  379: 'RTD',
  32769: 'OPEN',
  32773: 'SAVE.AS',
  32774: 'FILE.DELETE',
  32778: 'QUIT',
  32784: 'CLOSE',
  32785: 'RUN',
  32829: 'DEFINE.NAME',
  32864: 'FORMULA',
  32865: 'FORMULA.FILL',
  32866: 'FORMULA.ARRAY',
  32886: 'ALERT',
};

const LIST = TABLE.trim().split(/\s+/);

/**
 * Returns the name of a function, and its number of arguments, or null where that is not fixed. The name is empty for an unknown function.
 */
export function functionOf(number: number): { readonly name: string; readonly count: number | null } {
  const [name = '', count] = (OTHERS[number] ?? LIST[number] ?? '').split('/');
  return { name: name === '.' ? '' : name, count: count === undefined ? null : Number(count) };
}
