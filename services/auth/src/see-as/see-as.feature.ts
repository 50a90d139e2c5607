import { seeAsRequestSchemas as schemas } from '@lintel/contracts';
import { receiveJson, sendJson } from '@lintel/http';
import type { FeatureFactory } from '../feature.ts';
import { respondInternal } from '../respond-internal.ts';

/** Sessions in which administrators see what a user sees. */
export const seeAsFeature: FeatureFactory<'seeAs'> = ({ seeAs }) => ({
  register({ internal }) {
    internal.post('/see-as/begin', async (request, response) => {
      response.setHeader('Cache-Control', 'no-store');
      sendJson(response, 200, await seeAs.begin(await receiveJson(request, schemas.begin)));
    });
    respondInternal(internal, '/see-as/end', schemas.end, async ({ sessionId }) => {
      await seeAs.end(sessionId);
      return {};
    });
  },
});
