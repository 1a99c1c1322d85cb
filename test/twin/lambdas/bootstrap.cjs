/** The runtime of a function: loads `file.export` from the folder of the bundle, and answers one invocation after the other. */
const { join } = require('node:path');

const [, , folder, handlerName] = process.argv;

function failed(error) {
  const isError = error instanceof Error;
  const errorType = isError ? error.name : typeof error;
  return {
    errorType,
    errorMessage: isError ? error.message : String(error),
    trace: String(error?.stack ?? '').split('\n'),
  };
}

function load() {
  const [, file, name] = /^(.*)\.([^.]+)$/.exec(handlerName);
  // Lambda looks for these endings, in this order.
  for (const ending of ['.js', '.cjs', '']) {
    try {
      return require(join(folder, file + ending))[name];
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND' || !error.message.includes(join(folder, file))) throw error;
    }
  }
  throw new Error(`Runtime.ImportModuleError: ${handlerName}`);
}

const handler = load();

process.on('message', async ({ event, requestId }) => {
  try {
    const result = await handler(event, {
      awsRequestId: requestId,
      functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    });
    process.send({ result: result === undefined ? null : result });
  } catch (error) {
    process.send({ error: failed(error) });
  }
});
process.send({ ready: true });
