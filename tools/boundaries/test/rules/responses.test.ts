import { violationsOf } from '../violations-of.ts';

test('a service that destroys a response is named; a destroyed response of another server is not', () => {
  const sources = {
    'services/data/src/a.ts': "import type { Response } from 'express';\nresponse.destroy(error);",
    'services/data/src/b.ts': "import { request } from 'undici';\nresponse.destroy();",
    'libs/http/src/responses/send-error.ts': "import type { ServerResponse } from 'node:http';\nresponse.destroy();",
  };
  expect(violationsOf('responses-are-cut', sources)).toEqual([
    'libs/http/src/responses/send-error.ts:2 destroys a response',
    'services/data/src/a.ts:2 destroys a response',
  ]);
});
