import { INTEGERS, SEARCH_PATH } from '@lintel/contracts';
import { PlatformError } from '@lintel/errors';
import { contextOf } from '@lintel/http';
import { receiveFlag } from '../access/receive-flag.ts';
import { queryMembers } from '../entities/receive-read.ts';
import { respondRead } from '../entities/respond.ts';
import { sendRead } from '../entities/send-read.ts';
import type { FeatureFactory } from '../feature.ts';
import { numberOf } from '../receiving/receive-number.ts';
import { namedEntities, searchAll } from './search-all.ts';

/** Search in all entities. */
export const searchFeature: FeatureFactory = ({ ports, read }) => ({
  register: ({ rest }) => {
    rest.get(SEARCH_PATH, async (request, response) => {
      const { principal, signal } = contextOf(request, response);
      const { q = '', entities } = queryMembers(request, ['q', 'entities']) as Readonly<Record<string, string>>;
      if (q === '') throw new PlatformError('REQ_INVALID_PARAMETER', "Parameter 'q' is missing");
      const limit = numberOf(request, INTEGERS.found);
      const received = {
        q,
        entities: namedEntities(read.currentModel(), entities),
        limit,
        highlights: receiveFlag(request, 'highlights'),
      };
      await sendRead(
        { ...read, resultMemory: ports.resultMemory },
        {
          request,
          response,
          read: (database) => searchAll(received, principal, { ...read, database }, signal),
          send: (result, costOf) => respondRead(request, response, result, costOf),
        },
      );
    });
  },
});
