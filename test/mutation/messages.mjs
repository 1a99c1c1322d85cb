/** Leaves the text of errors and of the log alone: it is for people, and what programs go by is a class, a code or a field. */
import { declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';

const isText = (node) => node.type === 'TemplateLiteral' || (node.type === 'StringLiteral' && node.value.includes(' '));

const isForPeople = (call) =>
  (call.type === 'NewExpression' && /Error$/.test(call.callee.name ?? '')) ||
  (call.type === 'CallExpression' &&
    call.callee.property?.name &&
    /^log$/.test(call.callee.object?.property?.name ?? ''));

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, 'messages', {
    shouldIgnore: (path) =>
      isText(path.node) && path.findParent(({ node }) => isForPeople(node)) ? 'a text for people' : undefined,
  }),
];
