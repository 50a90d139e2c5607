import { followChanges } from '@lintel/client';
import { entityOf, type ProviderOptions } from '../records/record-model.ts';

/** A change, as Refine expects it. */
export interface LiveEvent {
  channel: string;
  type: string;
  payload: { ids?: (string | number)[] };
  date: Date;
}

/** What Refine subscribes to. */
export interface SubscribeParams {
  /** `resources/<resource>` */
  readonly channel: string;
  readonly callback: (event: LiveEvent) => void;
}

const CHANNEL = 'resources/';

/** A live provider of Refine by the feed of changes: with `liveMode: 'auto'`, pages show what others have changed. */
export function createLiveProvider({ client, resources }: ProviderOptions) {
  return {
    subscribe({ channel, callback }: SubscribeParams): AbortController {
      const leaving = new AbortController();
      const follow = async (): Promise<void> => {
        const entity = entityOf(resources, channel.replace(CHANNEL, ''));
        for await (const change of followChanges(client.connection, entity, { signal: leaving.signal })) {
          const type = change.change === 'reset' ? 'updated' : change.change;
          const payload = change.change === 'reset' ? {} : { ids: [change.id as string | number] };
          callback({ channel, type, payload, date: new Date() });
        }
      };
      follow().catch((error: unknown) => {
        if (!leaving.signal.aborted) console.info('No feed of changes:', error);
      });
      return leaving;
    },
    unsubscribe: (leaving: AbortController): void => leaving.abort(),
  };
}
