import { boolean, dateTime, json, standardEntity, string, uuid } from '@lintel/metadata';
import type { MailDefinition } from './mail.ts';

/** The mail that carries documents of reports on a schedule. An application that declares it has these deliveries. */
export const REPORT_DELIVERY_MAIL = 'report-delivery';

/** Whether reports are sent on a schedule (contract/mail.md#reports). */
export const hasReportDeliveries = ({ mails = [] }: { readonly mails?: readonly MailDefinition[] }): boolean =>
  mails.some(({ name }) => name === REPORT_DELIVERY_MAIL);

/** Parameters as in the body of a run of a report. */
const PARAMETERS = {
  type: 'array',
  maxItems: 100,
  items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
} as const;

/** A report that is run and sent on a schedule, under the rights of its owner. The data service checks its values. */
const ReportDelivery = standardEntity('sys_ReportDelivery', {
  attributes: {
    name: string(255).mandatory().notBlank(),
    /** Id or code. */
    report: string(255).mandatory(),
    parameters: json({ schema: PARAMETERS }),
    template: string(255),
    /** Output of the document, if the template can have several. */
    format: string(20),
    /** Addresses, separated by commas. */
    recipients: string(4000).mandatory().personal(),
    /** Locale of the document and the mail; the locale of the owner without it. */
    locale: string(20),
    /** Cron expression of five fields. */
    schedule: string(100).mandatory(),
    /** IANA name. */
    timeZone: string(60).mandatory().default('UTC'),
    active: boolean().mandatory().default(true),
    /** Name of the user who created it. */
    owner: string(255).readOnly(),
    /** Another user may get the name. */
    ownerId: uuid().readOnly(),
    /** The owner may set an earlier time. */
    nextRun: dateTime(),
    /** When the last document was sent. */
    lastSent: dateTime().readOnly(),
    /** Status and name of the error of the last run; empty after one that succeeded. */
    lastError: string(500).readOnly(),
  },
  instanceName: ['name'],
  indexes: [
    { attributes: ['nextRun'], unique: false },
    { attributes: ['owner'], unique: false },
  ],
});

export const REPORT_DELIVERY_ENTITIES = [ReportDelivery] as const;
