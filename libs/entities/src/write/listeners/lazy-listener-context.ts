import type { DataManager, ListenerContext } from '@lintel/application';
import { PlatformError } from '@lintel/errors';
import type { ReadAccess } from '@lintel/query';
import { messageWith } from '../scope/localize.ts';
import type { WriteScope } from '../scope/write-scope.ts';

/** Listeners that repeatedly change the entities they listen to are a bug of the application. */
const MAX_DEPTH = 20;

/**
 * What a listener is called with, inside the transaction. `data` is made when a listener reads it: most decide by the
 * change itself. It is an own member with a getter that all contexts share, for the reason that `LazyChange` has.
 *
 * @throws PlatformError where listeners call each other too deep
 */
export class LazyListenerContext implements ListenerContext {
  readonly username: string;
  readonly kind: ListenerContext['kind'];
  readonly isDryRun: boolean;
  readonly hasSpecific: ListenerContext['hasSpecific'];
  readonly message: ListenerContext['message'];
  declare readonly data: DataManager;
  readonly #scope: WriteScope;
  #data: DataManager | undefined;

  static readonly #DATA: PropertyDescriptor & ThisType<LazyListenerContext> = {
    enumerable: true,
    configurable: true,
    get() {
      const scope = this.#scope;
      this.#data ??= scope.dataFor({ ...scope, isPipelined: false, depth: scope.depth + 1 });
      return this.#data;
    },
  };

  /** What who writes may read: for the listeners of the platform, which get nothing else than this class. */
  static readAccessOf(context: ListenerContext): ReadAccess {
    return LazyListenerContext.#scopeOf(context).readAccess();
  }

  /** The id of the user who writes with a login; undefined for others, and for an API key, which may have fewer roles. */
  static loggedInUserOf(context: ListenerContext): string | undefined {
    const { kind, writer } = LazyListenerContext.#scopeOf(context);
    const isLogin = kind === 'user' && writer.clientId?.startsWith('api-key:') !== true;
    return isLogin ? (writer.userId ?? undefined) : undefined;
  }

  /** Lets other transactions that lock the same key wait until this one ends. */
  static async lock(context: ListenerContext, key: string): Promise<void> {
    const text = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
    await LazyListenerContext.#scopeOf(context).transaction.query({ text, values: [key] });
  }

  static #scopeOf(context: ListenerContext): WriteScope {
    if (!(#scope in context)) throw new Error('The context of a listener was not made for a write');
    return context.#scope;
  }

  constructor(scope: WriteScope) {
    if (scope.depth >= MAX_DEPTH)
      throw new PlatformError('INTERNAL_ERROR', '', {
        cause: new Error(`Entity listeners call each other more than ${MAX_DEPTH} levels deep`),
      });
    this.username = scope.username;
    this.kind = scope.kind;
    this.isDryRun = scope.isRehearsal === true;
    this.hasSpecific = scope.hasSpecific;
    this.message = messageWith(scope.localize);
    this.#scope = scope;
    Object.defineProperty(this, 'data', LazyListenerContext.#DATA);
  }
}
