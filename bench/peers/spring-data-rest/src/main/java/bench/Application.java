package bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.domain.AuditorAware;
import org.springframework.data.jpa.repository.config.EnableJpaAuditing;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.data.rest.webmvc.config.RepositoryRestConfigurer;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;
import org.springframework.security.web.SecurityFilterChain;

/** The entities of the sales example as Spring Data REST serves them: bearer tokens, method security, auditing. */
@SpringBootApplication
@EnableJpaAuditing
@EnableJpaRepositories(considerNestedRepositories = true)
@EnableMethodSecurity
public class Application {
  public static void main(String[] arguments) {
    SpringApplication.run(Application.class, arguments);
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    return http.csrf(csrf -> csrf.disable())
        .sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
        .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .oauth2ResourceServer(server -> server.jwt(jwt -> {}))
        .build();
  }

  @Bean
  JwtDecoder decoder(@Value("${peer.jwt-secret}") String secret) {
    SecretKey key = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256");
    return NimbusJwtDecoder.withSecretKey(key).build();
  }

  /** Bodies without indentation. */
  @Bean
  RepositoryRestConfigurer compactBodies() {
    return new RepositoryRestConfigurer() {
      @Override
      public void configureJacksonObjectMapper(ObjectMapper mapper) {
        mapper.disable(SerializationFeature.INDENT_OUTPUT);
      }
    };
  }

  @Bean
  AuditorAware<String> auditor() {
    return () -> Optional.ofNullable(SecurityContextHolder.getContext().getAuthentication()).map(caller -> caller.getName());
  }
}
