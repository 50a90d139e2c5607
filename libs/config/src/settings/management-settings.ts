import { setting } from '../declaring/setting.ts';
import { portValue, textValue } from '../declaring/values.ts';

const managementHost = setting(
  'svc.management.host',
  textValue().default('127.0.0.1'),
  'Address of the management listeners (`/metrics`, `/health/live`, `/health/ready`)',
);

/**
 * The management listener of a service, for operators: health with reasons, and metrics.
 *
 * @param port its default, which differs for each service, so that all of them can run on one machine
 */
export const managementSettings = <const Service extends string>(service: Service, port: number) => ({
  host: managementHost,
  port: setting(
    `svc.${service}.management-port`,
    portValue().default(port),
    'Port of the management listener; 0 takes a free one',
  ),
});
