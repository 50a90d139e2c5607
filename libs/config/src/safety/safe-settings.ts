import { ruledSettings, type SettingsOf, type SettingsShape } from '../declaring/setting.ts';
import type { platformSettings } from '../platform-settings.ts';
import { insecureSecret } from './insecure-secret.ts';
import type { InsecureSetting, Insecurity } from './insecurities.ts';
import { isLoopback } from './is-loopback.ts';

/** The settings of a service that decide on its safety. */
export interface ServiceSafety {
  /** Hosts of the listeners for requests; without the management listeners for operators. */
  readonly hosts: readonly string[];
  /** Insecure settings of this service alone. */
  readonly insecure: readonly InsecureSetting[];
}

type PlatformConfig = SettingsOf<typeof platformSettings>;

interface ServiceConfig {
  readonly platform: PlatformConfig;
}

/**
 * Whether others than this machine can reach the installation: by a listener of the service, or by the public
 * address, which may lead to it through a proxy.
 */
export const isExposed = ({ issuer }: Pick<PlatformConfig, 'issuer'>, hosts: readonly string[]): boolean =>
  !isLoopback(new URL(issuer).hostname) || hosts.some((host) => !isLoopback(host));

/**
 * Whether published secrets and passwords are refused although only this machine can reach the service: a proxy or
 * another program of the machine may lead to it.
 */
export const isStrict = ({ isProduction, securityProfile }: Pick<PlatformConfig, 'isProduction' | 'securityProfile'>) =>
  isProduction || securityProfile === 'hardened';

/** What is refused in production and in the hardened profile at every address. */
export const PUBLISHED: readonly Insecurity[] = ['default-secrets', 'demo-data'];

/**
 * The insecure settings of a service that other machines can reach. If only this machine can reach it: published
 * secrets and passwords in production and in the hardened profile, else none.
 *
 * @param safetyOf returns the hosts and the insecure settings of the service itself
 */
export function insecureSettings<C extends ServiceConfig>(
  config: C,
  safetyOf: (config: C) => ServiceSafety,
): readonly InsecureSetting[] {
  const { hosts, insecure } = safetyOf(config);
  const all = [...insecurePlatform(config.platform), ...insecure];
  if (isExposed(config.platform, hosts)) return all;
  return isStrict(config.platform) ? all.filter(({ insecurity }) => PUBLISHED.includes(insecurity)) : [];
}

/**
 * Settings of a service with a rule: if other machines can reach it, insecure values are refused unless
 * `svc.security.allow-insecure` names them.
 */
export const safeSettings = <const S extends SettingsShape & { readonly platform: typeof platformSettings }>(
  shape: S,
  safetyOf: (config: SettingsOf<S>) => ServiceSafety,
): S =>
  ruledSettings(shape, (config) => {
    const { platform } = config as unknown as ServiceConfig;
    return {
      problems: insecureSettings(config as SettingsOf<S> & ServiceConfig, safetyOf)
        .filter(({ insecurity }) => !platform.allowInsecure.includes(insecurity))
        .map(
          ({ insecurity, problem }) =>
            `${problem}. It is refused ${conditionOf(insecurity)}; svc.security.allow-insecure=${insecurity} allows it`,
        ),
    };
  });

const conditionOf = (insecurity: Insecurity): string =>
  PUBLISHED.includes(insecurity)
    ? 'where others than this machine can reach the service, with NODE_ENV=production, and in the profile hardened'
    : 'where others than this machine can reach the service';

function insecurePlatform({ issuer, securityProfile, internalSecret }: PlatformConfig): readonly InsecureSetting[] {
  const found: InsecureSetting[] = [...insecureSecret('svc.internal.secret', internalSecret)];
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isLoopback(hostname))
    found.push({
      insecurity: 'http-issuer',
      problem: `svc.authserver.issuer: passwords and tokens would travel to ${issuer} in clear text; name the public address with https`,
    });
  if (securityProfile === 'compatible')
    found.push({
      insecurity: 'compatible-profile',
      problem: 'svc.security.profile: compatible is meant for older clients; set it to hardened',
    });
  return found;
}
