export { application as default } from '../../../../services/data/test/security/delegation-model/application.ts';
