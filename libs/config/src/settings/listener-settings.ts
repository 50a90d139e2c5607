import { type Setting, setting } from '../declaring/setting.ts';
import { portValue, textValue } from '../declaring/values.ts';
import { gatewayHostSetting } from '../safety/gateway-host-setting.ts';
import { managementSettings } from './management-settings.ts';

const serviceHost = setting(
  'svc.services.host',
  textValue().default('127.0.0.1'),
  'Address that auth, data, files and reports listen on for the gateway',
);
const internalHost = setting(
  'svc.internal.host',
  textValue().default('127.0.0.1'),
  'Address of the internal listeners of auth, data and files, which the gateway never routes to',
);

/** Default ports of a service: its own, so that all services fit on one machine. */
export interface ListenerPorts {
  readonly public: number;
  readonly management: number;
}

/** The listeners for the gateway and for operators. */
export interface ListenerShape {
  readonly gatewayHost: Setting<string>;
  readonly host: Setting<string>;
  readonly port: Setting<number>;
  readonly management: ReturnType<typeof managementSettings>;
}

/** The listener for other services alone. */
export interface InternalListenerShape {
  readonly internalHost: Setting<string>;
  readonly internalPort: Setting<number>;
}

/** The addresses of a service that the gateway routes to: for the gateway, for operators, and for other services. */
export function listenerSettings(
  service: string,
  ports: ListenerPorts & { readonly internal: number },
): ListenerShape & InternalListenerShape;
export function listenerSettings(service: string, ports: ListenerPorts): ListenerShape;
export function listenerSettings(
  service: string,
  ports: ListenerPorts & { readonly internal?: number },
): ListenerShape & Partial<InternalListenerShape> {
  return {
    gatewayHost: setting(
      gatewayHostSetting.name,
      gatewayHostSetting.schema,
      'If it is not loopback, insecure settings are refused',
    ),
    host: serviceHost,
    port: setting(`svc.${service}.port`, portValue().default(ports.public), `Port of the ${service} service`),
    ...(ports.internal !== undefined && {
      internalHost,
      internalPort: setting(
        `svc.${service}.internal-port`,
        portValue().default(ports.internal),
        'Port of the internal listener',
      ),
    }),
    management: managementSettings(service, ports.management),
  };
}
