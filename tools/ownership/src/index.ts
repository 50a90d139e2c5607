export { affectedServices, SERVICES, type Service } from './affected-services.ts';
export { contractVersionProblem } from './contract-version.ts';
export { ownersOf, parseOwners } from './owners.ts';
