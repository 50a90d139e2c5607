import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Step } from '@lintel/http';
import { createDirectHandlers } from './create-direct-handlers.ts';
import type { Route } from './routes.ts';

const routeBelow = (prefix: string, isStream?: true): Route => ({
  template: `${prefix}/**`,
  upstream: 'data',
  tokens: 'exchange',
  silenceMs: 1_000,
  ...(isStream && { isStream }),
  matches: (path) => path.startsWith(prefix),
});

/** What was done for a request, in order. */
function setUp(steps: readonly Step[] = []) {
  const done: string[] = [];
  const noted: Step = (_request, _response, next) => {
    done.push('step');
    next();
  };
  const handlerOf = createDirectHandlers({
    routes: [routeBelow('/rest/changes', true), routeBelow('/rest'), routeBelow('/')],
    steps: [noted, ...steps],
    forward: async ({ template }, { url }) => void done.push(`${template} ${url}`),
  });
  const send = (url: string) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { url });
    return handlerOf(request)?.(request, new ServerResponse(request));
  };
  return { done, send };
}

test.each(['/health/live', '/health/ready', '/rest/changes/t_A', 'http://x/rest/entities/t_A', '*', ''])(
  'Express handles %j',
  (url) => {
    const { done, send } = setUp();
    expect([send(url), done]).toEqual([undefined, []]);
  },
);

test('a request is forwarded on the first route that matches its path, after all steps', async () => {
  const { done, send } = setUp();
  await send('/rest/entities/t_A?x=/rest/changes');
  await send('/open#/rest');
  expect(done).toEqual(['step', '/rest/** /rest/entities/t_A?x=/rest/changes', 'step', '//** /open#/rest']);
});

test('a step that responds is the last one', async () => {
  const { done, send } = setUp([(_request, response) => void response.end()]);
  await send('/rest/entities/t_A');
  expect(done).toEqual(['step']);
});

test('the error of a step is the error of the request', () => {
  const { done, send } = setUp([
    () => {
      throw new Error('refused');
    },
  ]);
  expect(() => send('/rest/entities/t_A')).toThrow('refused');
  expect(done).toEqual(['step']);
});
