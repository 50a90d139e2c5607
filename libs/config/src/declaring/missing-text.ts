import { environmentName } from '../key-names.ts';
import { acceptedBy } from './describe-settings.ts';
import type { Setting } from './setting.ts';

/** `svc.internal.secret (SVC_INTERNAL_SECRET): is required, expected a text`. */
export const missingText = ({ name, schema }: Pick<Setting<unknown>, 'name' | 'schema'>): string =>
  `${name} (${environmentName(name)}): is required, expected ${acceptedBy(schema)}`;
