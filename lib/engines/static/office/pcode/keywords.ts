/** The names with a number of their own below 256: the words of the language, in the order of VBA 6. */
const WORDS = `
  <crash> 0 Abs Access AddressOf Alias And Any Append Array As Assert B Base BF Binary Boolean ByRef Byte ByVal Call Case CBool CByte CCur
  CDate CDec CDbl CDecl ChDir CInt Circle CLng Close Compare Const CSng CStr CurDir CurDir$ CVar CVDate CVErr Currency Database Date Date$
  Debug Decimal Declare DefBool DefByte DefCur DefDate DefDec DefDbl DefInt DefLng DefObj DefSng DefStr DefVar Dim Dir Dir$ Do DoEvents
  Double Each Else ElseIf Empty End EndIf Enum Eqv Erase Error Error$ Event WithEvents Explicit F False Fix For Format Format$ FreeFile
  Friend Function Get Global Go GoSub Goto If Imp Implements In Input Input$ InputB InputB InStr InputB$ Int InStrB Is Integer Left LBound
  LenB Len Lib Let Line Like Load Local Lock Long Loop LSet Me Mid Mid$ MidB MidB$ Mod Module Name New Next Not Nothing Null Object On Open
  Option Optional Or Output ParamArray Preserve Print Private Property PSet Public Put RaiseEvent Random Randomize Read ReDim Rem Resume
  Return RGB RSet Scale Seek Select Set Sgn Shared Single Spc Static Step Stop StrComp String String$ Sub Tab Text Then To True Type TypeOf
  UBound Unload Unlock Unknown Until Variant WEnd While Width With Write Xor`;

export const KEYWORDS: readonly string[] = WORDS.trim().split(/\s+/);
