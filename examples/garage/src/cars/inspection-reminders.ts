import { job, mail } from '@lintel/application';

export const inspectionReminder = mail('inspection-reminder', {
  templates: {
    en: { subject: 'Inspection of {{ plate }}', text: 'Dear {{ name }},\n\n{{ plate }} is due on {{ due }}.\n' },
    de: { subject: 'Prüfung von {{ plate }}', text: 'Guten Tag {{ name }},\n\n{{ plate }} ist am {{ due }} fällig.\n' },
  },
  example: { plate: 'B-NB 412', name: 'Nora Brandt', due: '2026-12-01' },
});

const TWO_WEEKS_MS = 14 * 86_400_000;

/** Writes to the owners of cars two weeks before their inspection is due, once for each date. */
export const inspectionReminders = job(
  'inspection-reminders',
  { schedule: '0 7 * * *', timeZone: 'Europe/Berlin', as: { resourceRoles: ['garage-desk'] } },
  async ({ data }) => {
    const until = new Date(Date.now() + TWO_WEEKS_MS).toISOString().slice(0, 10);
    const filter = { conditions: [{ property: 'inspectionDue', operator: '<=', value: until }] };
    for (const car of await data.loadList('garage_Car', { filter, fetchPlan: 'car-with-owner' })) {
      const { name, email } = car['owner'] as { readonly name: string; readonly email?: string };
      const values = { plate: car['plate'], due: car['inspectionDue'], name };
      if (email)
        await data.mails.send('inspection-reminder', { to: email, data: values, key: `${car.id} ${values.due}` });
    }
  },
);
