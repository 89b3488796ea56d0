import { html } from '@handover/html';
import type { Messages } from './en.ts';

export const es: Messages = {
  space: ' ',
  order: (number) => `Pedido ${number}`,

  download: {
    versionFor: (version, name) => html`Versión ${version}, para ${name}`,
    for: (name) => html`Para ${name}`,
    works: ({ left, until, lifetime }) =>
      html`Este enlace seguirá funcionando <strong>${left} más</strong>, hasta el ${until}. Cada vez que se abre, el plazo de ${lifetime} vuelve a empezar.`,
    notReady: 'Los archivos aún no están listos.',
    notReadyWhy: (shop) =>
      html`Su compra está registrada: los archivos aparecerán aquí en cuanto ${shop} los publique. Vuelva a abrir este enlace más tarde.`,
    newer: (version, address) =>
      html`La versión ${version} ya está disponible. Para obtenerla, escriba a ${address}.`,
    resume: 'Si una descarga se interrumpe, elija «Reanudar» en su navegador: continuará donde se detuvo.',
    questions: (address) => html`¿Tiene alguna pregunta? ${address}`,
  },

  files: {
    list: 'Archivos',
    download: 'Descargar',
    again: 'Descargar de nuevo',
    all: (count, size) => `Descargar los ${count} archivos (${size})`,
    allAsk: 'Es posible que su navegador pregunte si esta página puede descargar varios archivos.',
    allBegun:
      '{n} de {count} archivos empezados. La lista de descargas de su navegador muestra cómo va cada uno.',
    whole: 'Transferencia completa',
    stopped:
      'Para continuar desde ahí, elija «Reanudar» en la lista de descargas de su navegador. El botón empieza desde el principio.',
    check: 'Comprobar el archivo (SHA-256)',
  },

  script: {
    starting: 'Iniciando',
    percent: '{n}\u00a0%',
    portion: '{sent} de {size}',
    sent: '{portion} transferidos',
    seconds: 'tiempo restante: {n} s aprox.',
    minutes: 'tiempo restante: {n} min aprox.',
    hours: 'tiempo restante: {n} h aprox.',
    offline: 'sin conexión en este momento',
    howFar: 'La descarga se detuvo en {portion}.',
    nowWhole: '{name}: transferencia completa',
    nowSent: '{name}: {percent} transferido',
    nowStopped: '{name}: detenido en {portion}',
  },

  ended: {
    expired: 'Este enlace ha caducado',
    expiredWhy: (lifetime, product) =>
      html`Los enlaces dejan de funcionar ${lifetime} después de abrirse por última vez. ${product} sigue siendo suyo: le enviaremos un enlace nuevo.`,
    goesTo: (address) => html`Se enviará a la dirección de su pedido, ${address}`,
    mailNew: 'Enviarme un enlace nuevo',
    otherAddress: (address, what) => html`¿Ha cambiado de dirección? Escriba a ${address} e indique ${what}.`,
    theOrder: (number) => html`<strong>el pedido ${number}</strong>`,
    theAddress: 'la dirección con la que hizo el pedido',
    onItsWay: (product, address) =>
      html`Un enlace nuevo para ${product} va de camino a ${address}. Puede tardar un minuto; revise también el correo no deseado.`,
    nothingThere: (address, what) => html`¿No ha llegado nada? Escriba a ${address} e indique ${what}.`,
    mailedAlready: 'El enlace nuevo ya se ha enviado',
    mailedAlreadyWhy: ({ address, wait, from }) =>
      html`Se envió a ${address}; revise también el correo no deseado. Podrá pedir otro dentro de ${wait} (a partir del ${from}).`,
    revoked: 'Este enlace se ha desactivado',
    replacedWhy: (product) =>
      html`La tienda ha desactivado este enlace para ${product}. Si ha recibido uno más reciente, pruebe con ese.`,
    revokedWhy: (product) =>
      html`La tienda ha retirado su acceso a ${product}. Ninguno de los enlaces funciona ya y no se puede enviar uno nuevo.`,
    askShop: (address, what) => html`Escriba a ${address} e indique ${what}. Allí podrán informarle.`,
  },

  my: {
    name: 'Mis descargas',
    title: 'Recupere sus descargas',
    lead: 'Escriba la dirección de correo con la que compró. Le enviaremos enlaces nuevos para todo lo que ha comprado.',
    email: 'Correo electrónico',
    invalid: 'Escriba la dirección completa, por ejemplo ana@example.com.',
    send: 'Enviarme mis enlaces',
    aside: (tries) =>
      `Puede pedirlo ${tries} veces por hora. La respuesta es la misma para cualquier dirección: así nadie puede averiguar qué ha comprado.`,
    inbox: 'Revise su bandeja de entrada',
    noted: (address) =>
      html`Si se compró algo con ${address}, el mensaje va de camino. Puede tardar un minuto; revise también el correo no deseado.`,
    noMail:
      '¿No ha llegado nada? Quizá compró con otra dirección: pruebe con ella o escriba a la tienda en la que compró.',
    didYouMean: (address) => html`¿Quiso escribir ${address}?`,
    sendThere: 'Enviar mis enlaces a esa dirección',
    tooOftenAddress: 'Demasiadas solicitudes para esta dirección',
    tooOftenNetwork: 'Demasiadas solicitudes desde su red',
    again: (wait, from) =>
      html`Vuelva a intentarlo dentro de ${wait} (a partir del ${from}). Los mensajes ya enviados llegarán.`,
  },

  library: {
    title: 'Su biblioteca',
    lead: (address) => html`Todo lo que se compró con ${address}, primero lo más reciente.`,
    works: ({ until, lifetime }) =>
      html`Esta página funciona hasta el ${until}, y su sesión sigue abierta en este dispositivo. Cada vez que se abre, el plazo de ${lifetime} vuelve a empezar.`,
    nothing: 'Aquí ya no hay nada. Si falta algo, escriba a la tienda.',
    bought: (date) => html`Comprado el ${date}`,
    replaced:
      'La tienda sustituyó los enlaces a este producto después de enviar el mensaje que abrió esta página. Un mensaje nuevo vuelve a llevar a los archivos.',
    noFiles: 'Aún no hay archivos',
    older: 'Compras anteriores',
    newest: 'Volver a las más recientes',
    forget: 'Cerrar sesión en este dispositivo',
    ended: 'Su biblioteca se ha cerrado',
    endedWhy: 'Pida de nuevo sus enlaces: el mensaje la abrirá.',
  },

  notFound: {
    title: 'No hay nada en esta dirección',
    heading: 'No hay nada en esta dirección',
    lead: 'Los enlaces de los mensajes son largos, y algunos programas los cortan. Pulse de nuevo el botón de su mensaje o copie el enlace completo que aparece debajo.',
    aside: '¿Sigue sin funcionar? Responda al mensaje que contenía el enlace: la tienda lo leerá.',
  },

  failure: {
    reference: 'Referencia:',
    tryAgain: 'Intentar de nuevo',
    busy: [
      'Tenemos muchas visitas en este momento',
      'No se ha perdido nada. Inténtelo de nuevo dentro de un minuto.',
    ],
    slow: [
      'La conexión era demasiado lenta',
      'Su envío no llegó a tiempo, así que no se ha cambiado nada. Vuelva atrás e inténtelo de nuevo.',
    ],
    files: [
      'Los archivos no están disponibles en este momento',
      'Su enlace sigue siendo válido y no se ha perdido nada. Vuelva a intentar la descarga dentro de un minuto.',
    ],
    database: [
      'Volvemos en un momento',
      'Ahora no podemos acceder a nuestra base de datos. No se ha perdido nada: vuelva a cargar esta página dentro de un minuto.',
    ],
    server: [
      'Algo ha fallado por nuestra parte',
      'Su compra está a salvo. Vuelva a cargar esta página; si sigue igual, responda al mensaje que contenía el enlace e indique la referencia de abajo.',
    ],
    unreadable: [
      'No hemos podido leer esta solicitud',
      'Abra de nuevo el enlace de su mensaje. No se ha cambiado nada.',
    ],
  },

  start: {
    heading: 'Este sitio entrega productos digitales',
    lead: 'Las tiendas lo usan para entregar lo que venden: bibliotecas de sonidos, plugins, libros electrónicos, software. Tras el pedido, el comprador recibe un correo con un enlace a los archivos.',
    bought: 'Ha comprado algo',
    boughtWhat:
      'Use el enlace de su correo. Si no lo encuentra o ha caducado, le enviaremos enlaces nuevos para todo lo que ha comprado.',
    shop: 'Trabaja para una tienda',
    shopWhat: 'Los pedidos, los productos y los ajustes están en el panel.',
    signIn: 'Iniciar sesión',
    version: (version) => `Versión ${version}`,
  },
};
