/** Error codes of CALLERROR as each version of the protocol spells them. */
export const protocols = ['ocpp1.6', 'ocpp2.0.1', 'ocpp2.1'] as const;
export type Protocol = (typeof protocols)[number];

/** What can be wrong with a call, in our words. */
export type Fault =
  | 'formation' // not the shape of a frame, or the payload is no object
  | 'occurrence' // a required field is missing
  | 'type' // a field has another type
  | 'property' // the right type, an impossible value
  | 'unknownAction'
  | 'unsupported'
  | 'security'
  | 'internal'
  | 'generic';

/** 1.6 misspells "Occurence" and says FormationViolation; 2.x says FormatViolation. A charge point looks for its own word. */
const codes = {
  formation: { 'ocpp1.6': 'FormationViolation', 'ocpp2.0.1': 'FormatViolation', 'ocpp2.1': 'FormatViolation' },
  occurrence: {
    'ocpp1.6': 'OccurenceConstraintViolation',
    'ocpp2.0.1': 'OccurrenceConstraintViolation',
    'ocpp2.1': 'OccurrenceConstraintViolation',
  },
  type: same('TypeConstraintViolation'),
  property: same('PropertyConstraintViolation'),
  unknownAction: same('NotImplemented'),
  unsupported: same('NotSupported'),
  security: same('SecurityError'),
  internal: same('InternalError'),
  generic: same('GenericError'),
} as const satisfies Record<Fault, Record<Protocol, string>>;

export function codeOf(fault: Fault, protocol: Protocol): string {
  return codes[fault][protocol];
}

const meanings: ReadonlyMap<string, Fault> = new Map<string, Fault>([
  ['FormationViolation', 'formation'],
  ['FormatViolation', 'formation'],
  ['ProtocolError', 'formation'],
  ['RpcFrameworkError', 'formation'],
  ['OccurenceConstraintViolation', 'occurrence'],
  ['OccurrenceConstraintViolation', 'occurrence'],
  ['TypeConstraintViolation', 'type'],
  ['PropertyConstraintViolation', 'property'],
  ['NotImplemented', 'unknownAction'],
  ['NotSupported', 'unsupported'],
  ['MessageTypeNotSupported', 'unsupported'],
  ['SecurityError', 'security'],
  ['InternalError', 'internal'],
]);

/** What a code we received means, in whichever spelling it came. */
export function faultOf(code: string): Fault {
  return meanings.get(code) ?? 'generic';
}

function same<Code extends string>(code: Code): Record<Protocol, Code> {
  return { 'ocpp1.6': code, 'ocpp2.0.1': code, 'ocpp2.1': code };
}

/** Thrown by a handler that wants to answer CALLERROR. Anything else it throws is a bug and answered `InternalError`. */
export class CallRefused extends Error {
  readonly fault: Fault;
  readonly details: object;

  constructor(fault: Fault, description: string, details: object = {}) {
    super(description);
    this.name = 'CallRefused';
    this.fault = fault;
    this.details = details;
  }
}
