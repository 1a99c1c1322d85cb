/**
 * A service for the tests of programs that use the client. It is our own server with an engine whose findings the test defines. It opens no
 * port, reads no clock and needs no network.
 */
import type { AnalysisClientOptions } from '../client/options.ts';
import { GROUP_HEADER } from '../contract/common.ts';
import { createAnalysisApp, createCdrApp } from '../server/app.ts';
import { createCore } from '../server/core.ts';
import { errorResponse, ServiceError } from '../server/service-error.ts';
import { givenKeys } from '../server/store/api-keys.ts';
import { createMemoryBlobs } from '../server/store/memory-blobs.ts';
import { createMemoryStore } from '../server/store/memory-store.ts';
import { type Fetch, FetchDispatcher } from './fetch-dispatcher.ts';
import { createHeldQueue, type HeldQueue } from './held-queue.ts';
import type { Scenario, Scenarios } from './scenario-names.ts';
import { scenarioOf, scenarioRunner } from './scenarios.ts';

export type { Scenario, ScenarioName, Scenarios } from './scenario-names.ts';

/** How a fake service answers. */
export interface FakeServiceOptions {
  /** The findings for each file or URL. @default everything is clean after one poll */
  readonly scenarios?: Scenarios;
}

/** One request that the fake has answered. */
export interface FakeRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly status: number;
}

/** A fake service, with what a client needs to speak to it. */
export interface FakeService {
  /** Base URL of the analysis service. Nothing listens there. */
  readonly url: string;
  /** Base URL of the CDR service. */
  readonly cdrUrl: string;
  /** The key of the analysis service, and the token of the CDR service. */
  readonly apiKey: string;
  /** Answers a request. */
  readonly fetch: Fetch;
  /** Everything that `new AnalysisClient` and `new AnalysisClientV1` need. Waits of the client take no time. */
  readonly clientOptions: AnalysisClientOptions & { readonly apiKey: string };
  /** The same for `new CdrClient`. */
  readonly cdrClientOptions: Omit<AnalysisClientOptions, 'apiKey'> & { readonly token: string };
  /** Every request so far, in order. */
  readonly requests: readonly FakeRequest[];
}

const URL_OF_FAKE = 'http://localhost';
const CDR_PATH = '/cdr';
const API_KEY = 'ma_fake';
/** The fake clock begins here, so that every run shows the same times. */
const START_MS = Date.UTC(2026, 0, 5);
const RETRY_SECONDS = 1;

/**
 * Makes a fake. Throws TypeError for a scenario that does not exist.
 *
 * @example
 * ```ts
 * import { AnalysisClient } from './lib/service/client/client.ts';
 * import { createFakeService } from './lib/service/fake/fake-service.ts';
 *
 * const fake = createFakeService({ scenarios: { 'invoice.docm': { name: 'malicious', afterPolls: 3 } } });
 * const client = new AnalysisClient(fake.clientOptions);
 * const { uuid } = await client.createStaticSubmission({ bytes: Buffer.from('x'), filename: 'invoice.docm' });
 * console.log((await client.waitForCompletion(uuid)).level, fake.requests.length);
 * ```
 */
export function createFakeService({ scenarios = {} }: FakeServiceOptions = {}): FakeService {
  for (const subject of Object.keys(scenarios)) scenarioOf(scenarios, subject);
  const clock = { nowMs: START_MS };
  const requests: FakeRequest[] = [];
  const queue = createHeldQueue();
  const answer = appsOf(scenarios, queue, () => clock.nowMs);
  const script = new Script(scenarios, queue, answer);
  const fetch: Fetch = async (request) => {
    const { pathname, search } = new URL(request.url);
    const response = await script.fetch(request);
    requests.push({ method: request.method, path: pathname + search, status: response.status });
    return response;
  };
  const timing = {
    dispatcher: new FetchDispatcher(fetch),
    random: () => 0,
    now: () => clock.nowMs,
    sleep: async (ms: number, signal: AbortSignal | undefined) => {
      signal?.throwIfAborted();
      clock.nowMs += ms;
    },
  };
  const cdrUrl = URL_OF_FAKE + CDR_PATH;
  return {
    url: URL_OF_FAKE,
    cdrUrl,
    apiKey: API_KEY,
    fetch,
    clientOptions: { ...timing, baseUrl: URL_OF_FAKE, apiKey: API_KEY },
    cdrClientOptions: { ...timing, baseUrl: cdrUrl, token: API_KEY },
    requests,
  };
}

/** Returns both services in memory. */
function appsOf(scenarios: Scenarios, queue: HeldQueue, now: () => number): Fetch {
  const core = () =>
    createCore({
      store: createMemoryStore(),
      blobs: createMemoryBlobs(MEMORY_BYTES),
      runner: scenarioRunner(scenarios),
      keys: givenKeys([{ key: API_KEY }], START_MS),
      queue,
      now,
    });
  const analysis = createAnalysisApp(core());
  const cdr = createCdrApp(core());
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith(`${CDR_PATH}/`)) return await analysis.fetch(request);
    return await cdr.fetch(new Request(URL_OF_FAKE + pathname.slice(CDR_PATH.length) + search, request));
  };
}

/** A test that submits more by mistake gets an error, and does not fill the memory. */
const MEMORY_BYTES = 1024 * 1024 * 1024;

/** Plays the scenarios. It refuses the submissions that they refuse, and ends reports at the poll that they name. */
class Script {
  readonly #scenarios: Scenarios;
  readonly #queue: HeldQueue;
  readonly #answer: Fetch;
  /** The group and the scenario of each submission, by its id. */
  readonly #submissions = new Map<string, { readonly group: string; readonly scenario: Scenario; polls: number }>();
  readonly #refused = new Map<string, number>();
  readonly #failed = new Set<string>();
  #count = 0;

  constructor(scenarios: Scenarios, queue: HeldQueue, answer: Fetch) {
    this.#scenarios = scenarios;
    this.#queue = queue;
    this.#answer = answer;
  }

  async fetch(request: Request): Promise<Response> {
    return request.method === 'POST' ? await this.#create(request) : await this.#read(request);
  }

  async #create(request: Request): Promise<Response> {
    const bytes = await request.arrayBuffer();
    const again = () => new Request(request.url, { method: 'POST', headers: request.headers, body: bytes });
    const subject = await subjectOf(again());
    const scenario = scenarioOf(this.#scenarios, subject);
    const refusal = this.#refusal(scenario, subject);
    if (refusal) return refusal;
    this.#count += 1;
    const group = `fake-${this.#count}`;
    const grouped = again();
    grouped.headers.set(GROUP_HEADER, group);
    const response = await this.#answer(grouped);
    const id = await idIn(response);
    if (id) this.#submissions.set(id, { group, scenario, polls: 0 });
    return response;
  }

  async #read(request: Request): Promise<Response> {
    const id = [...this.#submissions.keys()].find((each) => request.url.includes(each));
    const submission = id === undefined ? undefined : this.#submissions.get(id);
    if (!submission) return await this.#answer(request);
    const { scenario, group } = submission;
    const refusal = scenario.name === 'flaky' ? this.#refusal(scenario, request.url) : null;
    if (refusal) return refusal;
    submission.polls += 1;
    const hasEnded = scenario.name !== 'times-out' && submission.polls > (scenario.afterPolls ?? 1);
    if (hasEnded) await this.#queue.finish(group);
    return await this.#answer(request);
  }

  #refusal({ name, times = Number.POSITIVE_INFINITY }: Scenario, what: string): Response | null {
    if (name === 'quota' && (this.#refused.get(what) ?? 0) < times) {
      this.#refused.set(what, (this.#refused.get(what) ?? 0) + 1);
      return errorResponse(new ServiceError('SUBMISSION_LIMIT_EXCEEDED', { retryAfterSeconds: RETRY_SECONDS }));
    }
    if (name !== 'flaky' || this.#failed.delete(what)) return null;
    this.#failed.add(what);
    return errorResponse(new ServiceError('STORAGE_UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS }));
  }
}

/** Returns the file name or the URL of a submission; empty when the request has none, which the service refuses. */
async function subjectOf(request: Request): Promise<string> {
  if (/^application\/json/i.test(request.headers.get('content-type') ?? '')) {
    const { url } = (await request.json().catch(() => ({}))) as { url?: unknown };
    return typeof url === 'string' ? url : '';
  }
  const form = await request.formData().catch(() => null);
  const file = form?.get('file');
  return file instanceof File ? file.name : '';
}

/** Returns the id in the answer to a creation. */
async function idIn(response: Response): Promise<string | null> {
  if (!response.ok) return null;
  const body = (await response.clone().json()) as { uuid?: string; resultId?: string };
  return body.uuid ?? body.resultId ?? null;
}
