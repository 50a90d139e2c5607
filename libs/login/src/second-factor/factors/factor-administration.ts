import type {
  AppOffer,
  ConfirmAppRequest,
  ConfirmAppResponse,
  RemoveFactorsRequest,
  SecondFactors,
} from '@lintel/contracts';
import type { SecurityLog } from '@lintel/telemetry';
import type { Clock } from '@lintel/timing';
import type { AccountDirectory, TextCipher } from '../../login-ports.ts';
import type { FactorStore } from './factor-store.ts';
import type { OwnFactors } from './own-factors.ts';

/** Second factors of users by name, for services that decide who may see and change them. */
export interface FactorAdministration {
  /** Empty for a name without a user. */
  list(username: string): Promise<SecondFactors>;
  offer(username: string): Promise<AppOffer>;
  confirm(request: ConfirmAppRequest): Promise<ConfirmAppResponse>;
  remove(request: RemoveFactorsRequest): Promise<{ readonly removed: number }>;
  /** Null if the user has no factor. */
  renewRecoveryCodes(username: string): Promise<readonly string[] | null>;
}

export interface FactorAdministrationDeps {
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly factors: FactorStore;
  readonly own: OwnFactors;
  readonly cipher: TextCipher;
  readonly clock: Clock;
  readonly security: SecurityLog;
}

const OFFER_LIFE_MS = 600_000;
const PURPOSE = 'offer of an app';
/** These calls come from a service. */
const ADDRESS = 'api';

interface Offer {
  readonly userId: string;
  readonly secret: string;
  readonly until: number;
}

export function createFactorAdministration(deps: FactorAdministrationDeps): FactorAdministration {
  const { accounts, factors, own, cipher, clock, security } = deps;
  const userOf = async (username: string) => {
    const account = await accounts.find(username);
    return account === undefined ? undefined : { id: account.id, username, address: ADDRESS };
  };
  /** An offer is for one user and a limited time; nothing is stored before its confirmation. */
  const read = (text: string, userId: string): Offer | undefined => {
    const json = cipher.decrypt(Buffer.from(text, 'base64url'), PURPOSE);
    const offer = json === undefined ? undefined : (JSON.parse(json) as Offer);
    return offer?.userId === userId && offer.until > clock.now() ? offer : undefined;
  };
  return {
    async list(username) {
      const user = await userOf(username);
      if (user === undefined) return { factors: [], recoveryCodes: 0 };
      const [all, recoveryCodes] = await Promise.all([factors.of(user.id), factors.countRecoveryCodes(user.id)]);
      return { factors: [...all], recoveryCodes };
    },
    async offer(username) {
      const { secret, uri } = own.offerTotp(username);
      const user = await userOf(username);
      const offer: Offer = { userId: user?.id ?? '', secret, until: clock.now() + OFFER_LIFE_MS };
      return { key: secret, uri, offer: cipher.encrypt(JSON.stringify(offer), PURPOSE).toString('base64url') };
    },
    async confirm({ username, offer: text, code, name }) {
      const user = await userOf(username);
      const offer = user === undefined ? undefined : read(text, user.id);
      if (user === undefined || offer === undefined) return { outcome: 'expired' };
      const isFirst = !(await factors.hasAny(user.id));
      const result = await own.confirmTotp(user, { secret: offer.secret, code, name });
      if (result.kind !== 'added') return { outcome: result.kind };
      if (!isFirst) return { outcome: 'added', id: result.id };
      return { outcome: 'added', id: result.id, recoveryCodes: [...(await own.renewRecoveryCodes(user))] };
    },
    async remove({ username, id, by }) {
      const user = await userOf(username);
      const removed = user === undefined ? 0 : await factors.remove(user.id, id);
      const reason = by === username ? 'by the user' : 'by an administrator';
      if (removed > 0) security.record('second-factor.removed', { username, amount: removed, reason });
      return { removed };
    },
    async renewRecoveryCodes(username) {
      const user = await userOf(username);
      if (user === undefined || !(await factors.hasAny(user.id))) return null;
      return own.renewRecoveryCodes(user);
    },
  };
}
