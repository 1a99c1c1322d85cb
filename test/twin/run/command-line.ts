/** The command line against a twin, as an operator uses it on a deployment. */
import { airlock, type Called } from '../../local/console.ts';
import { CREDENTIALS, type Twin } from './twin.ts';

const ENDPOINTS = ['AWS_ENDPOINT_URL_LAMBDA', 'AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL_DYNAMODB'];

/** Runs a command with the credentials of the administrator. The environment of this process is as before afterwards. */
export async function onTwin({ deployment, clock }: Twin, ...args: readonly string[]): Promise<Called> {
  const { front, assembly } = deployment;
  const { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY } = CREDENTIALS;
  const wanted = {
    ...Object.fromEntries(ENDPOINTS.map((name) => [name, front.url])),
    AWS_REGION: assembly.place.region,
  };
  const before = Object.keys(wanted).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, wanted);
  try {
    return await clock.work(() => airlock(args, { env: { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } }));
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}
