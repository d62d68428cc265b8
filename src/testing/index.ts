export { fixedClock } from "./clock.ts";
export {
  type FakeFault,
  type FakeModelServer,
  type FakeReply,
  type FakeRequest,
  fakeModelServer,
} from "./fake-model-server.ts";
export { type ScriptedModel, type ScriptedModelReply, scriptedModel } from "./scripted-model.ts";
export { type ScriptedReply, type ScriptedSummarizer, scriptedSummarizer } from "./scripted-summarizer.ts";
export { type StoreMaker, storeSuite, type TestRunner } from "./store-suite.ts";
export type { FakeAnswer, WireFormat } from "./wire-formats.ts";
