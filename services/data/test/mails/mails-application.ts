import {
  defineApplication,
  entityListener,
  type JobContext,
  job,
  mail,
  restMethod,
  type SendMailOptions,
  service,
  t,
  ValidationError,
} from '@lintel/application';
import { standardEntity, string } from '@lintel/metadata';
import { entityPolicy, resourceRole, specificPolicy, viewAttributes } from '@lintel/security';

/** An application that sends mails from a listener, a service method and a job. */
export const mailsApplication = defineApplication({
  id: 'm',
  name: 'Mails',
  entities: [standardEntity('m_Visit', { attributes: { guest: string(100), email: string(100) } })],
  roles: [
    resourceRole('m-log', {
      name: 'Reads the log',
      policies: [specificPolicy('rest.enabled'), entityPolicy('sys_Mail', 'read'), viewAttributes('sys_Mail', '*')],
    }),
  ],
  mails: [
    mail('reminder', {
      templates: {
        en: {
          subject: 'Visit of {{ guest }}',
          text: 'Dear {{ guest }},\n\nyour visit is {{ "m/soon" | message }}.',
          html: '<p>Dear <b>{{ guest }}</b></p>',
        },
        de: { subject: 'Besuch von {{ guest }}', text: 'Guten Tag {{ guest }}, Ihr Besuch ist bald.' },
      },
      unsubscribe: 'https://m.example/stop?guest={{ guest | url_encode }}',
    }),
    mail('plain', { templates: { en: { subject: 'Plain', text: 'Text' } } }),
  ],
  listeners: [
    entityListener({
      entity: 'm_Visit',
      async afterSave({ id, after }, { data }) {
        const guest = after?.['guest'];
        await data.mails.send('reminder', { to: String(after?.['email']), data: { guest }, key: String(id) });
        if (guest === 'refused') throw new ValidationError('refused');
      },
    }),
  ],
  services: [
    service('m_Mails', {
      send: restMethod(
        { params: { name: t.string, options: t.any }, methods: ['POST'] },
        ({ name, options }, { data }) => data.mails.send(name, options as SendMailOptions),
      ),
    }),
  ],
  jobs: [
    job('remind', { as: { resourceRoles: [] } }, ({ args, data }: JobContext<SendMailOptions>) =>
      data.mails.send('reminder', args),
    ),
  ],
});
