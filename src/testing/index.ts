export { fixedClock } from "./clock.ts";
export {
  type FakeModelServer,
  type FakeRequest,
  type FakeServerOptions,
  fakeModelServer,
  type TokenLimit,
} from "./fake-model-server.ts";
export type { FakeFault, FakeReply, FakeToolCall } from "./fake-reply.ts";
export {
  type ChatScript,
  type ScriptedChatAnswer,
  type ScriptedChatModel,
  type ScriptedChatReply,
  scriptedChatModel,
} from "./scripted-chat-model.ts";
export { type ScriptedModel, type ScriptedModelReply, scriptedModel } from "./scripted-model.ts";
export { type ScriptedReply, type ScriptedSummarizer, scriptedSummarizer } from "./scripted-summarizer.ts";
export { type StoreMaker, storeSuite, type TestRunner } from "./store-suite.ts";
export type { AskedFor, FakeAnswer, WireFormat, WireMessage, WireToolCall } from "./wire/format.ts";
