/**
 * The instructions of compiled VBA, in the numbers of VBA 7 for 64 bits. [MS-OVBA] calls this form a cache and leaves it open (2.3.4.3);
 * the numbers and operands are what public disassemblers found. An operand is written as a letter behind a slash: `n` a name, `w` a word,
 * `i` a word into the table of imports, `d` four bytes into a table, `c` a context (four bytes, or eight), and `*` bytes with a length.
 */
const TABLE = `
  Imp Eqv Xor Or And Eq Ne Le Ge Lt Gt Add Sub Mod IDiv Mul Div Concat Like Pwr Is Not UMi FnAbs FnFix FnInt FnSgn FnLen FnLenB Paren Sharp
  LdLHS/n Ld/n MemLd/n DictLd/n IndexLd/w ArgsLd/nw ArgsMemLd/nw ArgsDictLd/nw St/n MemSt/n DictSt/n IndexSt/w ArgsSt/nw ArgsMemSt/nw
  ArgsDictSt/nw Set/n Memset/n Dictset/n Indexset/w ArgsSet/nw ArgsMemSet/nw ArgsDictSet/nw MemLdWith/n DictLdWith/n ArgsMemLdWith/nw
  ArgsDictLdWith/nw MemStWith/n DictStWith/n ArgsMemStWith/nw ArgsDictStWith/nw MemSetWith/n DictSetWith/n ArgsMemSetWith/nw
  ArgsDictSetWith/nw ArgsCall/nw ArgsMemCall/nw ArgsMemCallWith/nw ArgsArray/nw Assert BoS/w BoSImplicit BoL LdAddressOf/n MemAddressOf/n
  Case CaseTo CaseGt CaseLt CaseGe CaseLe CaseNe CaseEq CaseElse CaseDone Circle/w Close/w CloseAll Coerce CoerceVar Context/c Debug
  DefType/ww Dim DimImplicit Do DoEvents DoUntil DoWhile Else ElseBlock ElseIfBlock ElseIfTypeBlock/i End EndContext EndFunc EndIf
  EndIfBlock EndImmediate EndProp EndSelect EndSub EndType EndWith Erase/w Error EventDecl/d RaiseEvent/nw ArgsMemRaiseEvent/nw
  ArgsMemRaiseEventWith/nw ExitDo ExitFor ExitFunc ExitProp ExitSub FnCurDir FnDir Empty0 Empty1 FnError FnFormat FnFreeFile FnInStr FnInStr3
  FnInStr4 FnInStrB FnInStrB3 FnInStrB4 FnLBound/w FnMid FnMidB FnStrComp FnStrComp3 FnStringVar FnStringStr FnUBound/w For ForEach
  ForEachAs/i ForStep FuncDefn/d FuncDefnSave/d GetRec GoSub/n GoTo/n If IfBlock TypeOf/i IfTypeBlock/i Implements/wwww Input InputDone
  InputItem Label/n Let Line/w LineCont/* LineInput LineNum/n LitCy/wwww LitDate/wwww LitDefault LitDI2/w LitDI4/ww LitDI8/wwww LitHI2/w
  LitHI4/ww LitHI8/wwww LitNothing LitOI2/w LitOI4/ww LitOI8/wwww LitR4/ww LitR8/wwww LitSmallI2 LitStr/* LitVarSpecial Lock Loop LoopUntil
  LoopWhile LSet Me MeImplicit MemRedim/nwd MemRedimWith/nwd MemRedimAs/nwd MemRedimAsWith/nwd Mid MidB Name New/i Next NextVar OnError/n
  OnGosub/* OnGoto/* Open/w Option OptionBase ParamByVal ParamOmitted ParamNamed/n PrintChan PrintComma PrintEoS PrintItemComma PrintItemNL
  PrintItemSemi PrintNL PrintObj PrintSemi PrintSpc PrintTab PrintTabComma PSet/w PutRec QuoteRem/w* Redim/nwd RedimAs/nwd Reparse/* Rem/*
  Resume/n Return RSet Scale/w Seek SelectCase SelectIs/i SelectType SetStmt Stack/ww Stop Type/d Unlock VarDefn/d Wend While With WriteChan
  ConstFuncExpr LbConst/n LbIf LbElse LbElseIf LbEndIf LbMark EndForVariable StartForVariable NewRedim StartWithExpr SetOrSt/n EndEnum Illegal`;

export interface Operation {
  readonly name: string;
  readonly operands: string;
}

const OPERATIONS: readonly Operation[] = TABLE.trim()
  .split(/\s+/)
  .map((entry) => {
    const [name = '', operands = ''] = entry.split('/');
    return { name, operands };
  });

/** Which numbers a project has: those of VBA 5, or of VBA 6 and 7, for 32 or 64 bits. */
export interface Dialect {
  readonly version: 5 | 6 | 7;
  readonly is64: boolean;
}

/**
 * The first number from which on the numbers of VBA 5, and of VBA 6 and 7 for 32 bits, are lower than those of the table, and the
 * difference.
 */
const SHIFTS: Readonly<Record<'old' | 'narrow', readonly (readonly [from: number, by: number])[]>> = {
  old: [
    [171, 11],
    [168, 10],
    [166, 9],
    [152, 8],
    [113, 7],
    [72, 3],
    [69, 1],
  ],
  narrow: [
    [179, 3],
    [176, 2],
    [174, 1],
  ],
};

/** Returns the operation of a number, or undefined for a number that no version has. */
export function operationOf(number: number, { version, is64 }: Dialect): Operation | undefined {
  const shifts = version === 5 ? SHIFTS.old : is64 ? [] : SHIFTS.narrow;
  const by = shifts.find(([from]) => number >= from)?.[1] ?? 0;
  return OPERATIONS[number + by];
}
