import {
  defineApplication,
  entityListener,
  event,
  type JobContext,
  job,
  mail,
  type NotificationOptions,
  onEvent,
} from '@lintel/application';
import { enumeration, enumOf, standardEntity, string } from '@lintel/metadata';
import { entityPolicy, modifyAttributes, resourceRole, specificPolicy } from '@lintel/security';

// The application of the guides to events and jobs, whose examples are here as they are shown.

const STATUS = enumeration('clinic.Status', { REQUESTED: 'R', CONFIRMED: 'C', CANCELLED: 'X' });
const DUE = { conditions: [{ property: 'status', operator: '=', value: 'CONFIRMED' }] };
const tomorrow = (): Date => new Date(Date.now() + 86_400_000);

export const confirmed = event<{ appointment: string }>('clinic.appointment-confirmed.v1', {
  type: 'object',
  required: ['appointment'],
  properties: { appointment: { type: 'string' } },
});

export const announceConfirmed = entityListener({
  entity: 'clinic_Appointment',
  async afterSave({ id, before, after }, { data }) {
    if (after?.['status'] === 'CONFIRMED' && before?.['status'] !== 'CONFIRMED')
      await data.events.publish(confirmed, `clinic_Appointment/${id}`, { appointment: String(id) });
  },
});

export const remindLater = onEvent(confirmed, { name: 'remind', as: 'reminders' }, async ({ event, data }) => {
  const { appointment } = event.data;
  await data.jobs.enqueue('remind', { appointment }, { key: `later ${appointment}`, runAt: tomorrow() });
});

export const freeSlot = onEvent(
  { entity: 'clinic_Appointment', became: { status: 'CANCELLED' } },
  { name: 'free-slot', as: { resourceRoles: ['clinic-planner'] } },
  ({ event, data }) => data.create('clinic_FreeSlot', { appointment: event.data.id }),
);

export const nightlyReminders = job(
  'nightly-reminders',
  { schedule: '0 2 * * *', timeZone: 'Europe/Berlin', as: 'reminders' },
  async ({ data, signal }) => {
    for (const { id } of await data.loadList('clinic_Appointment', { filter: DUE })) {
      signal.throwIfAborted();
      await data.jobs.enqueue('remind', { appointment: id }, { key: `remind ${id}` });
    }
  },
);

export const remind = job(
  'remind',
  { as: 'reminders' },
  async ({ args: { appointment }, data }: JobContext<{ appointment: string }>) => {
    const found = await data.load('clinic_Appointment', appointment);
    if (found?.['status'] !== 'CONFIRMED') return;
    const { patient, email } = found;
    await data.mails.send('reminder', { to: String(email), data: { patient }, key: appointment });
  },
);

export const reminder = mail('reminder', {
  templates: { en: { subject: 'Your visit', text: 'Dear {{ patient }}, we expect you tomorrow.' } },
});

export const followUp = entityListener({
  entity: 'clinic_Visit',
  async afterSave({ id }, { data }) {
    await data.jobs.enqueue('follow-up', { visit: id }, { key: `follow up ${id}`, runAt: tomorrow() });
  },
});

export const slotIsFree = entityListener({
  entity: 'clinic_FreeSlot',
  async afterSave({ id }, { data }) {
    await data.notifications.send({
      to: 'reminders',
      title: 'An appointment was cancelled',
      link: { entity: 'clinic_FreeSlot', id },
      key: String(id),
      channels: ['chat'],
    });
  },
});

export const chat = job(
  'chat',
  { as: { resourceRoles: [] }, retries: 10 },
  async ({ args: { to, title }, run, signal }: JobContext<NotificationOptions>) => {
    const body = JSON.stringify({ id: run.id, text: `${to}: ${title}` });
    const response = await fetch(process.env['CHAT_URL'] ?? '', { method: 'POST', body, signal });
    if (!response.ok) throw new Error(`The chat has returned ${response.status}`);
  },
);

/** The role of the user `reminders`, and of the handler that plans. */
const planner = resourceRole('clinic-planner', {
  name: 'Planner',
  policies: [
    specificPolicy('rest.enabled'),
    ...['clinic_Appointment', 'clinic_FreeSlot'].flatMap((entity) => [
      entityPolicy(entity, 'all'),
      modifyAttributes(entity, '*'),
    ]),
  ],
});

export const clinic = defineApplication({
  id: 'clinic',
  name: 'Clinic',
  enums: [STATUS],
  entities: [
    standardEntity('clinic_Appointment', {
      attributes: { patient: string(100), email: string(100), status: enumOf(STATUS) },
    }),
    standardEntity('clinic_FreeSlot', { attributes: { appointment: string(36) } }),
    standardEntity('clinic_Visit', { attributes: { notes: string(100) } }),
  ],
  roles: [planner],
  events: [confirmed],
  listeners: [announceConfirmed, followUp, slotIsFree],
  eventHandlers: [remindLater, freeSlot],
  jobs: [nightlyReminders, remind, chat, job('follow-up', { as: 'reminders' }, () => undefined)],
  mails: [reminder],
});
