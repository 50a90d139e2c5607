import { defineSettings, type SettingsOf, setting, urlValue } from '@lintel/config';

/** In the address of a trace, where its id is. */
const TRACE_ID = '{traceId}';

/** Addresses of other programs that operators are led to, part of the settings of the data service. */
export const linkSettings = defineSettings({
  dashboards: setting(
    'svc.console.links.dashboards',
    urlValue().optional(),
    'Address of dashboards, for example of Grafana, to which the console leads operators',
  ),
  traces: setting(
    'svc.console.links.traces',
    urlValue()
      .refine((address) => address.includes(TRACE_ID), `expected an address with ${TRACE_ID}`)
      .optional(),
    'Address of a trace, with `{traceId}` in it, to which the console leads operators',
  ),
});

/** What the settings are read into. */
export type LinkSettings = SettingsOf<typeof linkSettings>;
