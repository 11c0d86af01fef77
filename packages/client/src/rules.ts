// The rules of a service, for programs that check payloads before they send them. Apart, since few
// need them.
export { localRules } from '../../../src/client/local-rules.ts'
