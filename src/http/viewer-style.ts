// The style of the API viewer beside its own, at /docs and on the site of the documentation.

/**
 * Better contrast, and no choice of servers, because there is one. swagger-ui itself lacks names of
 * fields for screen readers: `test/console/pages/frame/docs.test.ts` lists the rest.
 */
export const viewerStyle = `
.swagger-ui .scheme-container .schemes > .schemes-server-container { display: none }
.swagger-ui .json-schema-2020-12-head > .json-schema-2020-12-expand-deep-button { color: #4a5363 }
.swagger-ui .info .title small, .swagger-ui .info .title small pre { background: #4a5363 }
.swagger-ui .info .title small.version-stamp, .swagger-ui .info .title small.version-stamp pre { background: #3f6200 }
.swagger-ui a, .swagger-ui .info a, .swagger-ui .info .url { color: #0b57a4 }
.swagger-ui .btn.authorize { color: #0b6b4f; border-color: #0b6b4f }
.swagger-ui .btn.execute { background: #0b57a4 }
.swagger-ui .btn.cancel { color: #a31d16; border-color: #a31d16 }
.swagger-ui .microlight span[style='color: rgb(211, 99, 99);'] { color: #ff9d9d !important }
.swagger-ui .parameter__in { color: #4a5363 }
.swagger-ui .response-control-media-type__accept-message, .swagger-ui .response-control-media-type__accept-message code { color: #1d5a00 }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b57a4 }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #0b6b4f }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4b00 }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e }
`
