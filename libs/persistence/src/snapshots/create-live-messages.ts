import type { LiveValue } from '@lintel/cache';
import { createLiveSnapshot, type LiveSnapshotOptions } from './create-live-snapshot.ts';

/**
 * The texts of this moment for a service: those of the files, and before them those that administrators keep
 * in the database, read at the start and when they change (`data.messages.changed.v1`; attach it with
 * `attachInvalidation`).
 *
 * @param options `read` is `messageReader` of `@lintel/application`
 * @throws what the database throws when the view is not there within a minute
 */
export const createLiveMessages = <M>(options: LiveSnapshotOptions<M>): Promise<LiveValue<M>> =>
  createLiveSnapshot({ name: 'messages', view: 'sys.message_snapshot', event: 'data.messages.changed.v1' }, options);
