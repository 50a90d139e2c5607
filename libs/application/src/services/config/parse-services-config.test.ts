import { buildModel, enumeration, standardEntity, string } from '@lintel/metadata';
import { serviceComponent } from '../service-component.ts';
import { parseServicesConfig, ServicesConfigError } from './parse-services-config.ts';

const model = buildModel({
  entities: [standardEntity('x_Thing', { attributes: { name: string() } })],
  enums: [enumeration('x.Kind', { A: 1 })],
});
const components = [
  serviceComponent('x_One', { f: () => 'f', g: () => 'g' }),
  serviceComponent('x_Two', { h: () => 'h' }),
];
const parse = (...texts: string[]) =>
  parseServicesConfig(
    texts.map((text, at) => ({ name: `s${at + 1}.xml`, text: `<services>\n${text}\n</services>` })),
    components,
    model,
  );

// Asserts contract/services.md#exposure.
test('a method has its parameters with their types, and may have several forms', () => {
  const [service] = parse(`<service name="x_One">
    <method name="f" httpMethod="post" anonymousAllowed="true">
      <param name="a" type="java.util.UUID"/><param name="b" type="x_Thing[]" required="false"/>
    </method>
    <method name="f"><param name="a" type="long"/></method>
  </service>`);
  expect(service?.name).toBe('x_One');
  expect(service?.methods.map(({ name, httpMethods, origin }) => [name, httpMethods, origin])).toEqual([
    ['f', ['POST'], 'xml'],
    ['f', undefined, 'xml'],
  ]);
  expect(service?.methods[0]?.parameters).toEqual([
    {
      name: 'a',
      form: { kind: 'datatype', datatype: 'uuid' },
      typeName: 'java.util.UUID',
      required: true,
      nullable: true,
      rules: [],
    },
    {
      name: 'b',
      form: { kind: 'list', item: { kind: 'entity', entity: 'x_Thing' } },
      typeName: 'x_Thing[]',
      required: false,
      nullable: true,
      rules: [],
    },
  ]);
  // A primitive is never null.
  expect(service?.methods[1]?.parameters[0]?.nullable).toBe(false);
});

test('a method may be deprecated', () => {
  const deprecatedOf = (attributes: string) =>
    parse(`<service name="x_One"><method name="f" ${attributes}/></service>`)[0]?.methods[0]?.deprecated;
  expect(deprecatedOf('')).toBeUndefined();
  expect(deprecatedOf('deprecatedSince="2026-01-31" deprecatedSunset="2027-06-30"')).toEqual({
    since: '2026-01-31',
    sunset: '2027-06-30',
  });
  expect(() => deprecatedOf('deprecatedLink="https://example.org"')).toThrow(
    's1.xml, line 2: the attribute "deprecatedLink" needs "deprecatedSince"',
  );
  expect(() => deprecatedOf('deprecatedSince="2026-01-31" deprecatedSunset="2025-01-31"')).toThrow(
    's1.xml, line 2: "deprecatedSunset" is before "deprecatedSince"',
  );
});

// Asserts contract/services.md#exposure.
test('files are joined, those of one service too', () => {
  const services = parse(
    '<service name="x_One"><method name="f"/></service>',
    '<service name="x_Two"><method name="h"/></service><service name="x_One"><method name="g"/></service>',
  );
  expect(services.map(({ name, methods }) => [name, methods.map((method) => method.name)])).toEqual([
    ['x_One', ['f', 'g']],
    ['x_Two', ['h']],
  ]);
});

// Asserts contract/services.md#exposure.
test.each([
  ['int', 'int'],
  ['java.lang.Integer', 'int'],
  ['java.lang.String', 'string'],
  ['java.math.BigDecimal', 'decimal'],
  ['java.util.Date', 'dateTime'],
  ['java.time.LocalDate', 'localDate'],
  ['localDate', 'localDate'],
  ['byte', 'short'],
  ['byte[]', 'byteArray'],
])('the type %s is the datatype %s', (type, datatype) => {
  const [service] = parse(`<service name="x_One"><method name="f"><param name="a" type="${type}"/></method></service>`);
  expect(service?.methods[0]?.parameters[0]?.form).toEqual({ kind: 'datatype', datatype });
});

// Asserts contract/services.md#exposure.
test.each([
  ['x.Kind', { kind: 'enum', enumName: 'x.Kind' }],
  ['x_Thing', { kind: 'entity', entity: 'x_Thing' }],
  ['java.util.Map', { kind: 'object' }],
  ['java.util.List', { kind: 'list', item: { kind: 'any' } }],
  ['java.util.List&lt;int>', undefined],
  ['java.lang.String[]', { kind: 'list', item: { kind: 'datatype', datatype: 'string' } }],
])('the type %s', (type, form) => {
  const read = () =>
    parse(`<service name="x_One"><method name="f"><param name="a" type="${type}"/></method></service>`);
  if (form === undefined) expect(read).toThrow(ServicesConfigError);
  else expect(read()[0]?.methods[0]?.parameters[0]?.form).toEqual(form);
});

// Asserts contract/decisions.md#66, contract/services.md#exposure.
test.each([
  ['<x/>', 's1.xml, line 2: <x> is not known here; <service> is'],
  ['<service/>', 's1.xml, line 2: <service> needs the attribute "name"'],
  ['\n<service name="x_No"/>', 's1.xml, line 3: the application has no service component x_No'],
  ['<service name="x_One" more=""/>', 's1.xml, line 2: <service> has no attribute "more"'],
  ['<service name="x_One">\n\n<method name="no"/></service>', 's1.xml, line 4: the component x_One has no function no'],
  ['<service name="x_One"><method name="toString"/></service>', 'line 2: the component x_One has no function toString'],
  ['<service name="x_One"><method name="f" httpMethod="PUT"/></service>', 'line 2: httpMethod is GET or POST, not PUT'],
  [
    '<service name="x_One"><method name="f">\n<param name="a" type="x_No"/></method></service>',
    's1.xml, line 3: the type x_No of parameter a is not known',
  ],
  [
    '<service name="x_One"><method name="f"><param name="a"/><param name="a"/></method></service>',
    'line 2: method f has two parameters with one name',
  ],
  [
    '<service name="x_One"><method name="f"><param name="a" type="int"/><param name="b"/></method></service>',
    'line 2: method f has types for some of its parameters; all or none must have one',
  ],
  [
    '<service name="x_One"><method name="f"><param name="a" required="maybe"/></method></service>',
    'line 2: required is true or false, not maybe',
  ],
  [
    '<service name="x_One"><method name="f"/></service>\n<service name="x_One">\n<method name="f"/></service>',
    's1.xml, line 4: method f of x_One is ambiguous with the one in s1.xml, line 2: both have the same parameters',
  ],
  ['<service name="x_One"', /^s1\.xml: line \d+, column \d+: /],
])('%s is refused with a message that tells where', (text, message) => {
  expect(() => parse(text)).toThrow(ServicesConfigError);
  expect(() => parse(text)).toThrow(message);
});

// Asserts contract/services.md#exposure.
test('another root element is refused', () => {
  expect(() => parseServicesConfig([{ name: 's.xml', text: '<queries/>' }], components, model)).toThrow(
    's.xml, line 1: the root element is <queries>, not <services>',
  );
});
