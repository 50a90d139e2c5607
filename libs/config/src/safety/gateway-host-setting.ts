import { setting } from '../declaring/setting.ts';
import { textValue } from '../declaring/values.ts';

/**
 * The address on which the gateway listens. The other services read it too: processes that share an environment can be
 * reached through the gateway, independently of the addresses on which they listen themselves.
 */
export const gatewayHostSetting = setting(
  'svc.gateway.host',
  textValue().default('127.0.0.1'),
  'Address the gateway listens on; `0.0.0.0` for all of the machine',
);
