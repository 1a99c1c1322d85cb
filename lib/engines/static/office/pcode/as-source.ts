/**
 * Writes compiled VBA as source again, so that the code that runs is judged like the code that is shown. The instructions work on a stack.
 * The text omits types and the brackets of blocks, which say nothing about the reach of the code.
 */
import type { Instruction, ModuleCode } from './module-code.ts';

/** The longest text, and the longest expression in it. Stops expressions that double with every instruction. */
const MAX_TEXT = 2 * 1024 * 1024;
const MAX_EXPRESSION = 16 * 1024;
const MAX_STACK = 512;

const BINARY: Readonly<Record<string, string>> = {
  Imp: 'Imp',
  Eqv: 'Eqv',
  Xor: 'Xor',
  Or: 'Or',
  And: 'And',
  Eq: '=',
  Ne: '<>',
  Le: '<=',
  Ge: '>=',
  Lt: '<',
  Gt: '>',
  Add: '+',
  Sub: '-',
  Mod: 'Mod',
  IDiv: '\\',
  Mul: '*',
  Div: '/',
  Concat: '&',
  Like: 'Like',
  Pwr: '^',
  Is: 'Is',
};
const UNARY: Readonly<Record<string, string>> = { Not: 'Not ', UMi: '-', Paren: '', ParamByVal: 'ByVal ' };
/** Statements in front of, or around, their operands. */
const STATEMENTS: Readonly<Record<string, readonly [before: string, behind: string]>> = {
  If: ['If ', ' Then '],
  IfBlock: ['If ', ' Then'],
  ElseIfBlock: ['ElseIf ', ' Then'],
  While: ['While ', ''],
  DoWhile: ['Do While ', ''],
  DoUntil: ['Do Until ', ''],
  LoopWhile: ['Loop While ', ''],
  LoopUntil: ['Loop Until ', ''],
  SelectCase: ['Select Case ', ''],
  Case: ['Case ', ''],
  With: ['With ', ''],
};
const WORDS: Readonly<Record<string, string>> = {
  ElseBlock: 'Else',
  EndIfBlock: 'End If',
  EndSub: 'End Sub',
  EndFunc: 'End Function',
  EndWith: 'End With',
  EndSelect: 'End Select',
  ExitSub: 'Exit Sub',
  ExitFunc: 'Exit Function',
  Wend: 'Wend',
  Next: 'Next',
  NextVar: 'Next',
  Loop: 'Loop',
  Do: 'Do',
};
/** Statements that work on files. */
const FILES: Readonly<Record<string, string>> = {
  Name: 'Name',
  PutRec: 'Put #',
  GetRec: 'Get #',
  PrintChan: 'Print #',
  WriteChan: 'Write #',
  Input: 'Input #',
  LineInput: 'Line Input #',
};
const SPECIAL = ['False', 'True', 'Null', 'Empty'];

/** Returns the code as lines of VBA. */
export function asSource({ lines }: ModuleCode): string {
  const out: string[] = [];
  let left = MAX_TEXT;
  for (const line of lines) {
    const text = lineOf(line);
    left -= text.length + 1;
    if (left < 0) break;
    if (text !== '') out.push(text);
  }
  return out.join('\n');
}

function lineOf(instructions: readonly Instruction[]): string {
  const stack: string[] = [];
  const done: string[] = [];
  for (const instruction of instructions) {
    const statement = run(instruction, stack);
    if (statement !== null && statement !== '') done.push(statement.slice(0, MAX_EXPRESSION));
    if (stack.length > MAX_STACK) stack.shift();
  }
  return [...done, ...stack].join(': ').trim();
}

/** Executes one instruction. Returns a finished statement, or null for an instruction that only works on the stack. */
function run(instruction: Instruction, stack: string[]): string | null {
  const { name, kind, id, text } = instruction;
  const push = (value: string) => {
    stack.push(value.slice(0, MAX_EXPRESSION));
    return null;
  };
  const value = resultOf(instruction, stack);
  if (value !== null) return push(value);
  if (name === 'FuncDefn' || name === 'FuncDefnSave')
    return text === '' ? `Sub ${id}()` : `Declare Function ${id} Lib "${text}" ()`;
  const statement = STATEMENTS[name];
  if (statement !== undefined) return statement[0] + (stack.pop() ?? '') + statement[1];
  if (name === 'ForEach' || name === 'For' || name === 'ForStep') return `For ${stack.splice(0).join(' To ')}`;
  if (name === 'OnError') return kind === 1 ? 'On Error Resume Next' : `On Error GoTo ${id}`;
  const file = FILES[name];
  if (file !== undefined) return `${file} ${stack.splice(0).join(name === 'Name' ? ' As ' : ', ')}`;
  if (name === 'Open') return `Open ${stack.splice(0).join(' As ')}`;
  if (/^(?:GoTo|GoSub|Label|Resume)$/.test(name)) return `${name} ${id}`;
  return id === '' ? (WORDS[name] ?? null) : access(instruction, stack);
}

/** Returns the value that an operation makes of those on the stack, or null when it is no operation on values. */
function resultOf(instruction: Instruction, stack: string[]): string | null {
  const { name, id, text } = instruction;
  const pop = () => stack.pop() ?? '';
  const operator = BINARY[name];
  if (operator !== undefined) {
    const right = pop();
    return `${pop()} ${operator} ${right}`;
  }
  const sign = UNARY[name];
  if (sign !== undefined) return name === 'Paren' ? `(${pop()})` : sign + pop();
  if (name === 'LitStr') return `"${text.replaceAll('"', '""')}"`;
  if (name.startsWith('Lit')) return literal(instruction);
  if (name.startsWith('Fn')) return `${name.slice(2)}(${stack.splice(0).join(', ')})`;
  if (name === 'ParamNamed') return `${id}:=${pop()}`;
  return name === 'Me' || name === 'MeImplicit' ? 'Me' : null;
}

/** Handles loads, stores and calls of a name, with arguments, of an object or of the object of a With block. */
function access({ name, id, words }: Instruction, stack: string[]): string | null {
  const pop = () => stack.pop() ?? '';
  const isMember = /Mem|Dict/.test(name);
  const object = !isMember ? '' : name.endsWith('With') ? '.' : `${pop()}${name.includes('Dict') ? '!' : '.'}`;
  const count = name.startsWith('Args') ? Math.min(words[0] ?? 0, stack.length) : 0;
  const args = count === 0 ? [] : stack.splice(-count);
  const target = `${object}${id}`;
  const list = args.join(', ').slice(0, MAX_EXPRESSION);
  if (/Call|RaiseEvent/.test(name)) return `${target} ${list}`.trimEnd();
  const called = name.startsWith('Args') ? `${target}(${list})` : target;
  if (/^(?:Args)?(?:Mem|Dict)?St(?:With)?$/.test(name)) return `${called} = ${pop()}`;
  if (/^(?:Args)?(?:Mem|Dict)?Set(?:With|OrSt)?$/i.test(name)) return `Set ${called} = ${pop()}`;
  if (/Ld|AddressOf|Array/.test(name)) stack.push(called.slice(0, MAX_EXPRESSION));
  return /Redim/i.test(name) ? `ReDim ${target}` : null;
}

function literal({ name, kind, words }: Instruction): string {
  const [low = 0, high = 0] = words;
  switch (name) {
    case 'LitDI2':
      return String((low << 16) >> 16);
    case 'LitDI4':
      return String(low | (high << 16));
    case 'LitHI2':
      return `&H${low.toString(16)}`;
    case 'LitHI4':
      return `&H${(low + high * 65_536).toString(16)}`;
    case 'LitSmallI2':
      return String(kind);
    case 'LitVarSpecial':
      return SPECIAL[kind] ?? 'Empty';
    case 'LitNothing':
      return 'Nothing';
    default:
      return words.join(' ');
  }
}
