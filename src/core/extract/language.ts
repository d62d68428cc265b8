/**
 * What a language says when somebody forbids, demands, prefers, decides or merely talks. All lower case.
 *
 * A marker is a word, or words with one space between them; `glued` languages have no reliable word borders, their
 * markers are found anywhere in the sentence. Add a language by adding a row.
 */
export interface Language {
  readonly glued?: true;
  /** Frequent small words by which the language is told from its neighbours. */
  readonly common: readonly string[];
  /** Prohibition and obligation, anywhere in a sentence. */
  readonly strong: readonly string[];
  /** Preference and wish, anywhere in a sentence. */
  readonly weak: readonly string[];
  /** Begin a prohibition only at the start of a clause (`no toques …`), */
  readonly opening?: readonly string[];
  /** unless one of these follows (`no funciona`). */
  readonly unless?: readonly string[];
  /** May stand before an imperative without ending the start of a clause. */
  readonly polite?: readonly string[];
  /** A finding or a choice in the assistant's prose. */
  readonly decision: readonly string[];
  /** Sentences of an assistant that begin so say nothing. */
  readonly chatter: readonly string[];
}

const list = (text: string): readonly string[] => text.split("|");

/** One row a language, by its ISO 639 code. Sentences of any other language are still quoted as requests. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  en: {
    common: list("the|and|is|to|of|in|it|you|that|this|with|for|not|are|on|be|we|i"),
    strong: list(
      "never|always|must|must not|mustn't|make sure|ensure|under no circumstances|avoid|from now on|remember to|keep in mind|stop doing|no need to|at all times|without exception|is forbidden|are forbidden|not allowed|is required|are required|do not ever|only use|just use|only run|only edit|only change|only touch|only commit|only add|only do|only when|only if|just run|just do|just fix|just add|just want|only want|use only|want only|has to|have to|needs to|shall|shall not|cannot use|can't use",
    ),
    weak: list(
      "prefer|preferably|should|should not|shouldn't|i want|we want|i need|we need|i expect|we expect|i would like|i'd like|please use|please keep|would rather|rather than|instead of|ideally|as long as|be careful|stop",
    ),
    opening: list("do not|don't|dont|no|without|use|keep|leave"),
    unless: list("problem|worries|idea|i|it|we|need|one|the|way|luck|thanks|mind"),
    polite: list("please|and|but|so|just|also|then|or|ok|okay|yes|no"),
    decision: list(
      "because|so that|decided|decide|instead|root cause|the fix|the problem|the issue|the bug|turns out|fixed|the reason|caused by|due to|therefore|chose|choose|we use|will use|should be|must be|needs to|found that|found the|confirmed|the solution|this means|was missing|is missing|doesn't|does not|only works|works because|failed because|agreed",
    ),
    chatter: list(
      "let me|let's|now let me|now i'll|now i will|great|perfect|excellent|good|okay|ok|sure|got it|of course|certainly|absolutely|you're right|you are right|thanks|thank you|hello|hi|hey|i'll|i will|i see|i understand|looking at|now let's|first, let me|next, let me|awesome|done|here's|here is",
    ),
  },
  pt: {
    common: list("o|a|os|que|de|não|para|com|uma|um|isso|você|em|do|da|mas|por|está"),
    strong: list(
      "nunca|jamais|sempre|deve|devem|precisa|é preciso|tem que|tem de|certifique-se|garanta|evite|é proibido|obrigatório|obrigatoriamente|de jeito nenhum|em hipótese alguma|a partir de agora|lembre-se|só use|use apenas|use somente|apenas use|somente use|não deve|não pode|cuidado",
    ),
    weak: list("prefiro|prefira|de preferência|gostaria|quero|queremos|preciso|em vez de|ao invés de|deveria|o ideal"),
    opening: list("não|nada de|sem|use|mantenha|deixe"),
    unless: list(
      "é|está|estão|funciona|tem|há|sei|foi|vai|consigo|consegui|entendi|aparece|existe|são|era|deu|tenho|vejo|passou",
    ),
    polite: list("por|favor|e|mas|então|também|ok"),
    decision: list(
      "porque|decidi|decidimos|em vez de|causa|o problema|a correção|corrigido|por isso|portanto|escolhi|descobri|devido a|concluí|falta|faltava|a solução",
    ),
    chatter: list("vou|vamos|deixe-me|ótimo|perfeito|certo|claro|ok|beleza|olá|oi|obrigado|obrigada|agora vou|entendi"),
  },
  es: {
    common: list("el|la|los|que|de|no|para|con|una|un|es|en|del|pero|por|está|y|se"),
    strong: list(
      "nunca|jamás|siempre|debe|deben|debes|hay que|tienes que|tiene que|asegúrate|asegúrese|evita|evite|prohibido|obligatorio|bajo ningún concepto|de ninguna manera|a partir de ahora|recuerda|solo usa|usa solo|usa solamente|sólo usa|no debe|no debes|no puede|cuidado",
    ),
    weak: list("prefiero|preferiblemente|me gustaría|quiero|queremos|necesito|en lugar de|en vez de|debería|lo ideal"),
    opening: list("no|sin|nada de|usa|mantén|deja"),
    unless: list(
      "es|está|están|funciona|hay|sé|puedo|veo|tengo|fue|va|entiendo|aparece|existe|son|era|tiene|pasa|problem|i|worries",
    ),
    polite: list("por|favor|y|pero|entonces|también|ok"),
    decision: list(
      "porque|decidí|decidimos|en lugar de|en vez de|la causa|el problema|la corrección|corregido|por eso|por lo tanto|elegí|descubrí|debido a|faltaba|la solución",
    ),
    chatter: list("voy a|vamos a|déjame|genial|perfecto|claro|vale|ok|hola|gracias|ahora voy|entendido|de acuerdo"),
  },
  de: {
    common: list("der|die|das|und|ist|nicht|zu|den|mit|ein|eine|für|auf|von|es|ich|wir|im"),
    strong: list(
      "nie|niemals|immer|muss|müssen|musst|darf nicht|dürfen nicht|darfst nicht|darf|stelle sicher|stell sicher|sorge dafür|achte darauf|vermeide|vermeiden|verboten|unbedingt|auf keinen fall|keinesfalls|ab jetzt|ab sofort|denk daran|nur noch|ausschließlich|bitte nicht|bitte kein|bitte keine|pflicht|zwingend|verwende nur|nutze nur|benutze nur",
    ),
    weak: list(
      "bevorzuge|bevorzugt|lieber|am liebsten|möchte|möchten|ich will|wir wollen|soll|sollte|sollen|sollten|brauche|anstatt|statt|idealerweise",
    ),
    opening: list("kein|keine|keinen|nicht|verwende|nutze|benutze|ändere|lass|ohne"),
    unless: list("problem|ahnung|sorge|schlecht|wirklich|mehr"),
    polite: list("bitte|und|aber|dann|auch|ok"),
    decision: list(
      "weil|deshalb|entschieden|stattdessen|ursache|das problem|der fehler|behoben|daher|gewählt|grund|wegen|die lösung|fehlte|fehlt|damit",
    ),
    chatter: list(
      "ich werde|lass mich|lassen sie mich|super|perfekt|gut|klar|okay|ok|hallo|danke|jetzt werde|verstanden|gerne",
    ),
  },
  fr: {
    common: list("le|la|les|de|et|est|que|pas|pour|avec|une|un|ne|des|dans|il|ce|je"),
    strong: list(
      "jamais|toujours|doit|doivent|dois|devez|il faut|il ne faut|assure-toi|assurez-vous|veille à|veillez à|évite|évitez|interdit|obligatoire|en aucun cas|surtout pas|désormais|à partir de maintenant|n'oublie pas|n'oubliez pas|uniquement|impérativement|utilise seulement|attention à",
    ),
    weak: list(
      "préfère|préférez|de préférence|je veux|je voudrais|j'aimerais|nous voulons|besoin|plutôt que|au lieu de|devrait|idéalement",
    ),
    opening: list("ne|n'|pas de|sans|utilise|utilisez|garde|gardez|laisse"),
    unless: list("marche|fonctionne|sais|vois|comprends|problème|t'inquiète"),
    polite: list("merci|et|mais|alors|aussi|ok|veuillez|svp"),
    decision: list(
      "parce que|car|décidé|au lieu de|la cause|le problème|la correction|corrigé|donc|choisi|à cause de|la solution|il manquait|manquait",
    ),
    chatter: list(
      "je vais|laissez-moi|laisse-moi|parfait|super|bien sûr|d'accord|ok|bonjour|merci|maintenant je|compris|très bien",
    ),
  },
  ru: {
    common: list("и|в|не|на|что|это|с|для|как|по|но|я|мы|из|у|к|он|же"),
    strong: list(
      "никогда|всегда|должен|должна|должно|должны|нельзя|обязательно|необходимо|нужно|надо|убедись|убедитесь|избегай|избегайте|запрещено|ни в коем случае|ни при каких|отныне|впредь|помни|помните|только|следи|не забудь|не забудьте",
    ),
    weak: list("предпочитаю|предпочтительно|лучше|хочу|хотим|хотелось бы|желательно|вместо|следует|стоит"),
    opening: list("не|без|используй|используйте|оставь|оставьте"),
    unless: list("работает|знаю|вижу|понимаю|могу|получается|проблема|было|был|была"),
    polite: list("пожалуйста|и|но|тогда|также|а|ок"),
    decision: list(
      "потому что|поэтому|решил|решили|вместо|причина|проблема|ошибка в|исправлено|исправил|выбрал|из-за|решение|не хватало|оказалось",
    ),
    chatter: list("давайте|сейчас я|отлично|хорошо|конечно|ок|привет|спасибо|понял|понятно|здравствуйте|итак"),
  },
  zh: {
    glued: true,
    common: list("的|了|是|在|不|我|有|这|请|们"),
    strong: list(
      "不要|别|请勿|切勿|禁止|严禁|必须|务必|一定要|总是|始终|永远|绝不|绝对不|不得|不能|不可|不准|只能|只用|仅使用|确保|避免|记得|记住|从现在开始|千万",
    ),
    weak: list("应该|应当|希望|最好|尽量|优先|我想|我要|我需要|倾向|宁可|而不是|推荐使用"),
    decision: list("因为|所以|决定|改用|原因|问题在于|问题是|修复|已修复|由于|因此|选择|发现|缺少|解决方案"),
    chatter: list("好的|让我|我来|当然|明白|没问题|谢谢|你好|很好|太好了|现在我|接下来我"),
  },
  ja: {
    glued: true,
    common: list("の|は|を|に|が|で|と|た|です|ます"),
    strong: list(
      "しないで|ないでください|てはいけない|ではいけない|てはいけません|てはならない|禁止|必ず|常に|絶対に|決して|しなければならない|なければなりません|なければならない|べからず|だけ使|のみ使用|のみを使|避けて|避ける|注意して|徹底|忘れずに|今後は",
    ),
    weak: list(
      "べき|ほうがいい|方がいい|好む|なるべく|できれば|してほしい|て欲しい|お願いします|してください|てください|代わりに|優先",
    ),
    decision: list("ため|なので|決定|原因|問題は|修正し|修正済|したがって|代わりに|選択し|判明|不足|解決策"),
    chatter: list("はい|了解|わかりました|では|それでは|ありがとう|こんにちは|素晴らしい|まず確認|確認します|承知"),
  },
  ko: {
    glued: true,
    common: list("은|는|이|가|을|를|에|의|다|요"),
    strong: list(
      "하지 마|하지마|지 마세요|지 말|마세요|말아|말고|금지|반드시|항상|절대|꼭|해야 |해야만|해야 합니다|해야 해|안 됩니다|안 돼|안됩니다|만 사용|피하|잊지|앞으로는|주의",
    ),
    weak: list("선호|바랍니다|좋겠|원합니다|원해|가능하면|대신|우선|해 주세요|해주세요|주세요"),
    decision: list("때문|그래서|결정|원인|문제는|수정했|수정됨|따라서|대신|선택|발견|누락|해결"),
    chatter: list("네|알겠습니다|좋습니다|그럼|감사합니다|안녕하세요|이제 제가|확인해 보겠습니다|완벽"),
  },
  it: {
    common: list("il|lo|gli|che|di|non|per|con|una|un|è|sono|del|della|ma"),
    strong: list(
      "mai|sempre|deve|devono|devi|bisogna|assicurati|evita|evitare|vietato|obbligatorio|in nessun caso|d'ora in poi|ricordati|ricorda|usa solo|soltanto",
    ),
    weak: list("preferisco|preferibilmente|vorrei|voglio|vogliamo|ho bisogno|invece di|dovrebbe|idealmente"),
    opening: list("non|senza|usa|mantieni|lascia"),
    unless: list("è|funziona|so|vedo|capisco|ho|c'è|va|sono"),
    polite: list("per|favore|e|ma|allora|anche|ok"),
    decision: list("perché|deciso|invece|la causa|il problema|corretto|quindi|scelto|a causa|la soluzione|mancava"),
    chatter: list("vado a|fammi|lasciami|perfetto|ottimo|certo|va bene|ok|ciao|grazie|ora vado|capito"),
  },
};
