import {
  AndFilter,
  type Client,
  type Entry,
  EqualityFilter,
  Filter,
  FilterParser,
  InvalidCredentialsError,
  ResultCodeError,
  SizeLimitExceededError,
} from 'ldapts';
import type { Claims } from '../identity/read-claim.ts';
import { createDirectoryConnections } from './directory-connections.ts';
import type { DirectorySettings } from './directory-settings.ts';

/** A user of a directory. */
export interface DirectoryUser {
  /** Value of the attribute that never changes. */
  readonly subject: string;
  /** Attributes of the user, with the names of its groups as `groups`. */
  readonly claims: Claims;
}

/** One directory, which several servers may serve. */
export interface Directory {
  readonly name: string;
  readonly settings: DirectorySettings;
  /**
   * The user whose name and password these are; undefined if they are wrong.
   *
   * @throws DirectoryUnavailable if no server responds as it should
   */
  authenticate(username: string, password: string): Promise<DirectoryUser | undefined>;
  /** The user of a subject, undefined if there is none any more. Throws as above. */
  find(subject: string): Promise<DirectoryUser | undefined>;
  /** Logs in at every server as the user who searches, and looks for the entry of `base-dn`: the error of each. */
  probe(): Promise<readonly { readonly url: string; readonly error: unknown }[]>;
}

const MAX_NAME_LENGTH = 255;
const MAX_PASSWORD_LENGTH = 1_024;
const MAX_GROUPS = 1_000;
const MAX_DEPTH = 10;
/** `LDAP_MATCHING_RULE_IN_CHAIN`: Active Directory follows groups of groups. */
const IN_CHAIN = ':1.2.840.113556.1.4.1941:';
/** Attributes whose values are bytes. */
const BINARY = /^object(guid|sid)$/i;
/** Name of no entry, for a bind in the name of an unknown user. */
const UNKNOWN_RDN = 'cn=unknown user of lintel';
/**
 * Result codes of a bind that say that this user may not log in, for example since the account is locked; the bind of an
 * unknown user may also end with those of no entry, and of a name that its directory does not accept.
 */
const REFUSED_BINDS: ReadonlySet<number> = new Set([19, 32, 34, 49, 53]);

/** @param timeoutMs longest wait for a connection, and for each response */
export function createDirectory(name: string, settings: DirectorySettings, timeoutMs: number): Directory {
  const connections = createDirectoryConnections(name, settings, timeoutMs);

  /** The only entry that a filter finds: with a second one the name is ambiguous. */
  async function entryOf(client: Client, filter: Filter | string): Promise<Entry | undefined> {
    try {
      const { searchEntries } = await client.search(settings['base-dn'], {
        filter,
        scope: 'sub',
        sizeLimit: 2,
        attributes: ['*', settings['id-attribute']],
        explicitBufferAttributes: [settings['id-attribute']],
      });
      return searchEntries.length === 1 ? searchEntries[0] : undefined;
    } catch (error) {
      if (error instanceof SizeLimitExceededError) return undefined;
      throw error;
    }
  }

  async function toUser(client: Client, entry: Entry): Promise<DirectoryUser | undefined> {
    const subject = subjectOf(entry, settings['id-attribute']);
    if (subject === undefined) return undefined;
    return { subject, claims: claimsOf(entry, await groupsOf(client, entry.dn, settings)) };
  }

  /** Whether a server accepts the password: by a bind on a connection of its own, as the user. */
  async function isPassword(url: string, dn: string, password: string): Promise<boolean> {
    try {
      await connections.run(url, (client) => client.bind(dn, password));
      return true;
    } catch (error) {
      if (error instanceof InvalidCredentialsError) return false;
      if (error instanceof ResultCodeError && REFUSED_BINDS.has(error.code)) return false;
      throw error;
    }
  }

  return {
    name,
    settings,
    async authenticate(username, password) {
      // Servers accept a bind without a password, as an anonymous one (RFC 4513 5.1.2).
      if (!isPossible(username, MAX_NAME_LENGTH) || password === '' || password.length > MAX_PASSWORD_LENGTH)
        return undefined;
      return connections.ask(async (client, url) => {
        const entry = await entryOf(client, withValue(settings['user-filter'], Filter.escape(username)));
        const dn = entry === undefined || entry.dn === '' ? `${UNKNOWN_RDN},${settings['base-dn']}` : entry.dn;
        // For an unknown name, too: the time of the response does not show whether it exists.
        const isRight = await isPassword(url, dn, password);
        return entry === undefined || entry.dn === '' || !isRight ? undefined : toUser(client, entry);
      });
    },
    find: (subject) =>
      connections.ask(async (client) => {
        const { 'id-attribute': id, 'user-filter': userFilter } = settings;
        const entry = await entryOf(client, subjectFilter(subject, id, userFilter));
        return entry === undefined ? undefined : toUser(client, entry);
      }),
    probe: () => connections.probe(),
  };
}

/** A filter that finds a subject. The filter of users may exclude those that are disabled. */
export function subjectFilter(subject: string, attribute: string, userFilter: string): Filter {
  // As an object: ldapts writes the escaped bytes of a text as UTF-8.
  const value = BINARY.test(attribute) ? Buffer.from(subject, 'hex') : subject;
  return new AndFilter({
    filters: [new EqualityFilter({ attribute, value }), FilterParser.parseString(withValue(userFilter, '*'))],
  });
}

const withValue = (filter: string, value: string): string => filter.replaceAll('{0}', () => value);

function isPossible(name: string, maxLength: number): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with control characters are refused
  return name !== '' && name.length <= maxLength && name.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(name);
}

function subjectOf(entry: Entry, attribute: string): string | undefined {
  const found = Object.entries(entry).find(([name]) => name.toLowerCase() === attribute.toLowerCase())?.[1];
  const value = Array.isArray(found) ? found[0] : found;
  if (value === undefined || value.length === 0) return undefined;
  const encoding = BINARY.test(attribute) ? 'hex' : 'utf8';
  return Buffer.isBuffer(value) ? value.toString(encoding) : value;
}

/** Attributes under their names, and under those of the claims that users are created from. */
function claimsOf(entry: Entry, groups: readonly string[]): Claims {
  const texts = Object.fromEntries(
    Object.entries(entry).flatMap(([name, value]) => {
      const all = (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
      return name === 'dn' || all.length === 0 ? [] : [[name, all.length === 1 ? all[0] : all] as const];
    }),
  );
  const first = (name: string): unknown => (Array.isArray(texts[name]) ? texts[name][0] : texts[name]);
  return {
    ...texts,
    given_name: first('givenName'),
    family_name: first('sn'),
    email: first('mail'),
    // The directory belongs to the organisation.
    email_verified: true,
    groups,
  };
}

/** The attribute with the name of a group in all usual schemas. */
const NAME_OF_GROUP = 'cn';

/** Names of the groups of a user, with those of groups where that is configured. */
async function groupsOf(client: Client, dn: string, settings: DirectorySettings): Promise<readonly string[]> {
  const { 'nested-groups': nested } = settings;
  const names = new Set<string>();
  const seen = new Set<string>();
  let members = [dn];
  for (let depth = 0; depth < MAX_DEPTH && members.length > 0; depth += 1) {
    const next: string[] = [];
    for (const member of members) {
      for (const group of await directGroups(client, member, settings)) {
        const key = group.dn.toLowerCase();
        if (seen.has(key)) continue;
        seen.add(key);
        if (seen.size > MAX_GROUPS) throw new Error(`a user is in more than ${MAX_GROUPS} groups`);
        next.push(group.dn);
        const value = group[NAME_OF_GROUP];
        for (const item of Array.isArray(value) ? value : [value]) if (typeof item === 'string') names.add(item);
      }
    }
    members = nested === 'search' ? next : [];
  }
  return [...names];
}

async function directGroups(client: Client, member: string, settings: DirectorySettings): Promise<readonly Entry[]> {
  const { 'group-filter': template, 'nested-groups': nested } = settings;
  const chained = nested === 'active-directory' ? template.replace(/=\{0\}/, `${IN_CHAIN}={0}`) : template;
  const { searchEntries } = await client.search(settings['group-base-dn'] ?? settings['base-dn'], {
    filter: withValue(chained, Filter.escape(member)),
    scope: 'sub',
    sizeLimit: MAX_GROUPS,
    attributes: [NAME_OF_GROUP],
  });
  return searchEntries;
}
