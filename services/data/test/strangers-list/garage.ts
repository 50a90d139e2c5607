import {
  type ApplicationDefinition,
  type DataManager,
  entityListener,
  RestError,
  RestMethod,
  RestService,
} from '@lintel/application';
import {
  compositionOfMany,
  decimal,
  embeddable,
  embedded,
  enumeration,
  enumOf,
  integer,
  localDate,
  manyToMany,
  manyToManyInverse,
  standardEntity,
  string,
  toMany,
  toOne,
} from '@lintel/metadata';
import { entityPolicy, modifyAttributes, queryPolicy, resourceRole, rowLevelRole } from '@lintel/security';

export const Fuel = enumeration('garage.Fuel', { PETROL: 'P', ELECTRIC: 'E' });

/** Calls of listeners, the latest last; tests clear it. */
export const CALLS: string[] = [];

/** What a listener does for the brand of a car, by its name. */
const TRICKS: Readonly<Record<string, (data: DataManager) => unknown>> = {
  'an unknown attribute': (data) =>
    data.loadList('garage_Car', { fetchPlan: { entity: 'garage_Car', properties: ['vni'] } }),
  'an HTTP client': () => {
    throw Object.assign(new Error('the price server refused'), { status: 400 });
  },
  'a broken text': () => decodeURIComponent('%'),
  'a refusal': () => {
    throw new RestError(409, 'No such car', 'It was sold');
  },
};

/** Without a name, and with a method that declares no result. */
@RestService()
class GarageDesk {
  @RestMethod()
  async opening() {
    return { from: '08:00', cars: 2 };
  }

  @RestMethod()
  async price(): Promise<number> {
    throw Object.assign(new Error('the price server refused'), { status: 400 });
  }
}

/** A garage that is right; each row of the list changes one thing. */
export const GARAGE = {
  id: 'garage',
  name: 'Garage',
  enums: [Fuel],
  entities: [
    embeddable('garage_Address', { attributes: { city: string(50) } }),
    standardEntity('garage_Owner', {
      attributes: {
        name: string(100).mandatory(),
        address: embedded('garage_Address'),
        cars: toMany('garage_Car', 'owner'),
      },
      instanceName: ['name'],
    }),
    standardEntity('garage_Service', {
      attributes: { name: string(100), cars: manyToManyInverse('garage_Car', 'services') },
      instanceName: ['name'],
    }),
    standardEntity('garage_Badge', { attributes: { number: string(10) } }),
    standardEntity('garage_Car', {
      attributes: {
        vin: string(17).mandatory(),
        brand: string(50),
        price: decimal(10, 2),
        doors: integer(),
        bought: localDate(),
        fuel: enumOf(Fuel),
        owner: toOne('garage_Owner'),
        badge: toOne('garage_Badge').unique(),
        services: manyToMany('garage_Service'),
        repairs: compositionOfMany('garage_Repair', 'car'),
        label: string(100).readOnly(),
      },
      instanceName: ['vin'],
    }),
    standardEntity('garage_Truck', { extends: 'garage_Car', attributes: { axles: integer() } }),
    standardEntity('garage_Repair', { attributes: { car: toOne('garage_Car').mandatory(), hours: integer() } }),
  ],
  services: [new GarageDesk()],
  roles: [
    resourceRole('mechanic', {
      name: 'Mechanic',
      policies: [entityPolicy('garage_Car', 'all'), modifyAttributes('garage_Car', '*')],
    }),
  ],
  rowLevelRoles: [
    rowLevelRole('own-city', {
      name: 'Own city',
      policies: [queryPolicy('garage_Owner', '{E}.address.city = :current_user_country')],
    }),
  ],
  listeners: [
    entityListener({
      entity: 'garage_Car',
      async beforeSave({ after, change }, { data }) {
        CALLS.push(`beforeSave ${change} ${String(after?.['vin'])}`);
        await TRICKS[String(after?.['brand'])]?.(data);
        return { label: `${String(after?.['vin'])} (${String(after?.['brand'])})` };
      },
      async afterSave({ after, change }) {
        CALLS.push(`afterSave ${change} ${String(after?.['vin'])}`);
      },
    }),
  ],
} satisfies ApplicationDefinition;
