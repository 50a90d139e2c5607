import type { KeyValueStore } from '@lintel/cache';
import type { AdapterPayload } from 'oidc-provider';
import type { PendingInteractions } from '../pending-interactions.ts';
import { ShortLivedAdapter } from './short-lived-adapter.ts';
import type { TokenEvents } from './token-events.ts';

/** A denial needs no login either: it is kept only as long as a browser needs to follow a redirect. */
const REFUSED_SECONDS = 60;

/** Stores an interaction after the first submission of the user; before it, the browser keeps it. */
export class InteractionAdapter extends ShortLivedAdapter {
  readonly #pending: PendingInteractions;

  constructor(store: KeyValueStore, events: TokenEvents, pending: PendingInteractions) {
    super('Interaction', store, events);
    this.#pending = pending;
  }

  override async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    // The step after the login is stored on the server: its URL would replace the password.
    const isUnanswered = payload.result === undefined && payload.lastSubmission === undefined;
    if (isUnanswered && this.#pending.save({ id, payload })) return;
    const isRefused = payload.result !== undefined && 'error' in payload.result;
    await super.upsert(id, payload, isRefused ? REFUSED_SECONDS : expiresIn);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const pending = this.#pending.find(id);
    return pending === undefined ? super.find(id) : { ...pending.payload, jti: id };
  }
}
